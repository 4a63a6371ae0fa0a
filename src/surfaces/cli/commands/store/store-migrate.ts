/** `toolgate store migrate`: moves the records of this machine into a database, or back. */
import type { PostgresPlace } from "../../../../core/ports/store.ts";
import { plural } from "../../../../core/text/plural.ts";
import { visible } from "../../../../core/text/visible.ts";
import { findStore } from "../../../../open/store/find-store.ts";
import {
  describeDatabase,
  type MovedStore,
  moveStore,
  moveStoreBack,
} from "../../../../open/store/store-tools.ts";
import { explainForPeople } from "../../agent-around.ts";
import { type CliIo, exitCodes, fail, type JsonOption, printJson } from "../../terminal/io.ts";
import { createProgress } from "../../terminal/progress.ts";

interface MigrateOptions extends JsonOption {
  readonly from: string;
  readonly to?: string;
}

export async function runStoreMigrate({ from, to, json }: MigrateOptions, io: CliIo): Promise<number> {
  const refused = explainForPeople("where records are kept", io);
  if (refused !== undefined) return fail(refused, io);
  const isBack = from !== "sqlite";
  const other = isBack ? from : (to ?? "postgres");
  if ((to === "sqlite") !== isBack && to !== undefined)
    return fail(
      "Records are moved between the state folder and a database: one of --from and --to has to be sqlite, the other one postgres or postgres://...",
      io,
    );
  const { stateFolder, postgres: configured } = await findStore(io.env);
  const database: PostgresPlace | undefined = other === "postgres" ? configured : { url: other };
  if (database === undefined)
    return fail(
      `No configuration names a database. Write store: postgres://... into your config.yaml, or say ${isBack ? "--from" : "--to"} postgres://...`,
      io,
    );
  using progress = createProgress(io);
  progress.step("Verifying the ledger");
  const show = (row: number, last: number) => progress.show(`${row} of ${last} records moved`);
  const moved = isBack
    ? await moveStoreBack(stateFolder, database, show)
    : await moveStore(stateFolder, database, show);
  if (json === true) printJson(moved, io);
  else {
    const named = configured && (await describeDatabase(configured));
    io.out(describe(moved, whatNow(isBack, named, isBack ? moved.from : moved.to)));
  }
  return moved.verification.ok ? exitCodes.ok : exitCodes.failed;
}

/** `named`: the database of the configuration. */
function whatNow(isBack: boolean, named: string | undefined, database: string): string {
  if (isBack)
    return named === undefined
      ? "No configuration names a database: start toolgate again."
      : `Now take ${named === database ? "the database" : `the other database ${visible(named)}`} out of your config.yaml (store:) and of TOOLGATE_STORE. Until then toolgate goes on with it.`;
  if (named === undefined)
    return "Now write the database into your config.yaml (store: postgres://...). Until then toolgate goes on with the state folder.";
  return named === database
    ? "The configuration names this database: start toolgate again."
    : `The configuration names another database, ${visible(named)}. Now write this one into your config.yaml (store: postgres://...). Until then toolgate goes on with the other one.`;
}

function describe({ from, to, rows, before, hash, parts, verification }: MovedStore, next: string): string {
  const others = Object.values(parts.rows).reduce((sum, count) => sum + count, 0);
  const again = before === 0 ? "" : ` (${before} of them ${before === 1 ? "was" : "were"} there already)`;
  return [
    `Moved ${plural(rows, "record")}${again} from ${visible(from)} to ${visible(to)}.`,
    `The chain over the rows that arrived ends with the same hash: ${hash}`,
    `Also: ${plural(others, "row")} of approvals, grants, limits and sessions, ${plural(parts.tokens, "token")}, ${plural(parts.pins, "accepted upstream")}.`,
    verification.ok
      ? `The ledger verifies: ${plural(verification.rows, "record")}, signed up to ${verification.sealedSeq}.`
      : `The ledger does not verify: ${verification.problems[0]?.message}`,
    next,
    "",
  ].join("\n");
}
