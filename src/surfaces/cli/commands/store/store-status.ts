/** `toolgate store status`: where records are kept, and how that is. */
import { shownDuration } from "../../../../core/text/duration.ts";
import { plural } from "../../../../core/text/plural.ts";
import { visible } from "../../../../core/text/visible.ts";
import { findStore } from "../../../../open/store/find-store.ts";
import { type PostgresStatus, readStoreStatus } from "../../../../open/store/store-tools.ts";
import { type CliIo, exitCodes, type JsonOption, printJson } from "../../terminal/io.ts";

/** With a larger difference somebody should look at the clocks; limits and records go by the database's. */
const farApartMs = 5_000;

export async function runStoreStatus({ json }: JsonOption, io: CliIo): Promise<number> {
  const status = await readStoreStatus(await findStore(io.env));
  if (json === true) printJson(status, io);
  else if (status.kind === "sqlite") {
    const { place, ledger, processes } = status;
    io.out(`SQLite: ${visible(place)}\n`);
    io.out(`records: ${ledger.lastRow === 0 ? "none yet" : `the last one is number ${ledger.lastRow}`}\n`);
    const others =
      processes.length === 0 ? "no other one uses" : plural(processes.length, "other one uses", "others use");
    io.out(`processes: ${others} it now\n`);
  } else io.out(describe(status));
  return exitCodes.ok;
}

function countRules(processes: PostgresStatus["processes"]): number {
  const living = processes.filter(({ isLiving, rulesVersion }) => isLiving && rulesVersion !== undefined);
  return new Set(living.map(({ rulesVersion }) => rulesVersion)).size;
}

function describe(status: PostgresStatus): string {
  const { place, serverVersion, latencyMs, clockDifferenceMs, schema, ledger, processes, bytes } = status;
  const clocks =
    Math.abs(clockDifferenceMs) < farApartMs
      ? "agree"
      : `differ by ${shownDuration(Math.abs(clockDifferenceMs))}; the database's counts, set this machine's right`;
  return [
    `PostgreSQL ${visible(serverVersion)}: ${visible(place)}`,
    `answers in ${latencyMs} ms; clocks ${clocks}`,
    schema === undefined
      ? "tables: none yet; the first toolgate that uses it makes them"
      : `tables: step ${schema.version}, this toolgate knows ${schema.known}${schema.oldest > schema.known ? ": too few, install a newer one" : ""}`,
    `size: ${Math.round(bytes / 1_000_000)} MB`,
    ...(ledger === undefined
      ? []
      : [
          `ledger ${ledger.id}: ${plural(ledger.rows, "record")} in ${plural(ledger.blocks, "block")}, signed up to ${ledger.signedRow}`,
        ]),
    ...(schema === undefined ? [] : [`processes: ${processes.filter(({ isLiving }) => isLiving).length}`]),
    ...processes.map(
      ({ host, pid, seenMsAgo, isLiving, rulesVersion }) =>
        `  ${visible(host)} ${pid}${rulesVersion === undefined ? "" : ` rules ${visible(rulesVersion)}`}${isLiving ? "" : ` silent for ${shownDuration(seenMsAgo)}`}`,
    ),
    ...(countRules(processes) > 1
      ? ["rules differ: those that serve decide by different rules; give all of them the same files"]
      : []),
    "",
  ].join("\n");
}
