/** `toolgate store`: its options and its help. */
import type { CliCommand } from "../../program/define-command.ts";

export function defineStore(program: CliCommand): void {
  const store = program
    .command("store")
    .summary("look at the store of records, and move it to a database")
    .description("Shows where records are kept and how that is, and moves them into a database.")
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
    .summary("move the records of this machine into a database")
    .description(
      "Moves the records of the state folder into a PostgreSQL database: ledger, approvals, grants, limits, sessions, tokens and accepted upstreams. Rows keep their numbers and their text, and the old chain of hashes is computed again over what the database has. A move that was interrupted goes on when it is started again. The state folder stays as it is. End every other toolgate first.",
    )
    .option("--from <kind>", "Where the records are: sqlite, the state folder.", "sqlite")
    .option(
      "--to <database>",
      "The URL of a database, or postgres: the store of the configuration.",
      "postgres",
    )
    .json()
    .examples(
      "toolgate store migrate --from sqlite --to postgres",
      "toolgate store migrate --to postgres://db/toolgate",
    )
    .runs(() => import("./store-migrate.ts"), "runStoreMigrate");
}
