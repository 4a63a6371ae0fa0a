/** `toolgate store migrate`: moves the records of this machine into a database. */
import type { PostgresPlace } from "../../../../core/ports/store.ts";
import { visible } from "../../../../core/text/visible.ts";
import { findStore } from "../../../../open/store/find-store.ts";
import { type MovedStore, moveStore } from "../../../../open/store/store-tools.ts";
import { explainForPeople } from "../../agent-around.ts";
import { type CliIo, exitCodes, fail, type JsonOption, printJson } from "../../terminal/io.ts";
import { createProgress } from "../../terminal/progress.ts";

interface MigrateOptions extends JsonOption {
  readonly from: string;
  readonly to: string;
}

export async function runStoreMigrate({ from, to, json }: MigrateOptions, io: CliIo): Promise<number> {
  const refused = explainForPeople("where records are kept", io);
  if (refused !== undefined) return fail(refused, io);
  if (from !== "sqlite") return fail("Only the records of a state folder can be moved: --from sqlite.", io);
  const { stateFolder, postgres: configured } = await findStore(io.env);
  const target: PostgresPlace | undefined = to === "postgres" ? configured : { url: to };
  if (target === undefined)
    return fail(
      "No configuration names a database. Write store: postgres://... into your config.yaml, or say --to postgres://...",
      io,
    );
  using progress = createProgress(io);
  progress.step("Verifying the ledger");
  const moved = await moveStore(stateFolder, target, (row, last) =>
    progress.show(`${row} of ${last} records moved`),
  );
  if (json === true) printJson(moved, io);
  else io.out(describe(moved, configured !== undefined));
  return moved.verification.ok ? exitCodes.ok : exitCodes.failed;
}

function describe(
  { from, to, rows, before, hash, parts, verification }: MovedStore,
  isConfigured: boolean,
): string {
  const others = Object.values(parts.rows).reduce((sum, count) => sum + count, 0);
  const again = before === 0 ? "" : ` (${before} of them were there already)`;
  return [
    `Moved ${rows} records${again} from ${visible(from)} to ${visible(to)}.`,
    `The chain over the rows in the database ends with the same hash as before: ${hash}`,
    `Also: ${others} rows of approvals, grants, limits and sessions, ${parts.tokens} tokens, ${parts.pins} accepted upstreams.`,
    verification.ok
      ? `The ledger verifies: ${verification.rows} records, signed up to ${verification.sealedSeq}.`
      : `The ledger does not verify: ${verification.problems[0]?.message}`,
    isConfigured
      ? "The configuration names this database: start toolgate again."
      : "Now write the database into your config.yaml (store: postgres://...). Until then toolgate goes on with the state folder.",
    "",
  ].join("\n");
}
