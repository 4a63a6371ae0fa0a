/** `toolgate store`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";

export function defineStore(program: CliCommand): void {
  const store = program
    .command("store")
    .summary("look at the store of records, and move it to a database or back")
    .description("Shows where records are kept and how that is, and moves them into a database or back.")
    .examples(
      "toolgate store status",
      "toolgate store migrate --to postgres://toolgate@db.example.com/toolgate",
    );
  store
    .command("status")
    .summary("show where records are kept, and how that is")
    .description(
      "Shows where records are kept, how many there are and who uses them. Of a database also its version, how long it takes to answer, and how far its clock is from this machine's.",
    )
    .json()
    .examples("toolgate store status")
    .runs(() => import("./store-status.ts"), "runStoreStatus");
  store
    .command("migrate")
    .summary("move the records of this machine into a database, or back")
    .description(
      "Moves records between the state folder and a PostgreSQL database: ledger, approvals, grants, limits, sessions, tokens and accepted upstreams. Rows keep their numbers and their text, and the chain of hashes is computed again over what has arrived. A move that was interrupted goes on when it is started again. Where the records come from stays as it is. End every other toolgate first.",
    )
    .option(
      "--from <store>",
      "Where the records are: sqlite (the state folder), postgres (the store of the configuration), or the URL of a database.",
      "sqlite",
    )
    .option(
      "--to <store>",
      "Where they go: sqlite, postgres, or the URL of a database. Default: the other kind.",
    )
    .json()
    .examples(
      "toolgate store migrate --to postgres://db/toolgate",
      "toolgate store migrate --from postgres --to sqlite",
    )
    .runs(() => import("./store-migrate.ts"), "runStoreMigrate");
}
