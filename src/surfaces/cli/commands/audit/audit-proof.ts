/** `toolgate audit export|verify|prune`: the ledger as evidence, here or on another machine. */
import { createReadStream, createWriteStream, readFileSync, rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { messageOf } from "../../../../core/call/errors.ts";
import type { LedgerVerification } from "../../../../core/ports/ledger-reader.ts";
import { parseDuration } from "../../../../core/text/duration.ts";
import { plural } from "../../../../core/text/plural.ts";
import { visible } from "../../../../core/text/visible.ts";
import { openConfig } from "../../../../open/open-config.ts";
import { openStore, verifyExport } from "../../../../open/open-store.ts";
import { findStore } from "../../../../open/store/find-store.ts";
import { explainForPeople } from "../../agent-around.ts";
import { openOwnStore } from "../../open/own-store.ts";
import { coloursFor } from "../../terminal/colours.ts";
import { confirm } from "../../terminal/confirm.ts";
import { type CliIo, exitCodes, fail, printJson } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { createProgress, type Progress } from "../../terminal/progress.ts";
import { makeFolderOf } from "../../terminal/save-file.ts";

export async function runAuditExport(
  { out: output }: { readonly out?: string | undefined },
  io: CliIo,
): Promise<number> {
  await using store = await openOwnStore(io);
  const lines = store.ledger.export({ signal: io.signal });
  using progress = createProgress(io);
  let count = 0;
  const counted = async function* () {
    for await (const line of lines) {
      count++;
      // Lines that run over the screen show by themselves how far it is.
      if (output !== undefined || !io.isTerminal) progress.show(`${plural(count, "line")} written`);
      yield `${line}\n`;
    }
  };
  if (output === undefined) {
    for await (const line of counted()) io.out(line);
    return exitCodes.ok;
  }
  const path = resolve(io.cwd, output);
  io.err(makeFolderOf(path, io.cwd));
  let isOurs = false;
  try {
    // Never over a file that is there: an export is evidence.
    const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
    file.once("open", () => {
      isOurs = true;
    });
    await pipeline(Readable.from(counted()), file, { signal: io.signal });
  } catch (error) {
    // Half an export proves nothing, and would be in the way of the next one.
    if (isOurs) rmSync(path, { force: true });
    if (io.signal.aborted) throw error;
    const taken = (error as NodeJS.ErrnoException).code === "EEXIST";
    const why = taken ? "exists already; choose another name." : `could not be written: ${messageOf(error)}`;
    return fail(`${output} ${why}`, io);
  }
  progress[Symbol.dispose]();
  io.err(
    asTyped(
      `${plural(count, "line")} written to ${output}. Verify them anywhere: toolgate audit verify --file ${output}\n`,
      io,
    ),
  );
  return exitCodes.ok;
}

interface VerifyOptions {
  readonly json?: boolean | undefined;
  /** An export, instead of the ledger of this machine. */
  readonly file?: string | undefined;
  /** A public key from a trusted place. Default: the key in the export. */
  readonly key?: string | undefined;
  /** Copies of anchors, besides those of the configuration. */
  readonly anchor?: readonly string[] | undefined;
}

export async function runAuditVerify(
  { json, file, key, anchor = [] }: VerifyOptions,
  io: CliIo,
): Promise<number> {
  if (key !== undefined && file === undefined) return fail("--key goes with --file EXPORT.", io);
  const anchorCopies = anchor.map((copy) => resolve(io.cwd, copy));
  const found =
    file === undefined
      ? await verifyOwn(anchorCopies, io)
      : await verifyFile(file, { key, anchorCopies }, io);
  if (found === undefined) return exitCodes.failed;
  if (json === true) printJson(found, io);
  else io.out(describeVerification(found, io));
  return found.ok ? exitCodes.ok : exitCodes.failed;
}

async function verifyOwn(copies: readonly string[], io: CliIo): Promise<LedgerVerification> {
  const { settings } = await openConfig({ cwd: io.cwd, env: io.env });
  await using store = await openStore({
    ...(await findStore(io.env)),
    // Anchors are only compared here, so that nothing is added to them before they are looked at.
    comparedAnchors: settings.ledger?.anchors ?? [],
  });
  using progress = createProgress(io);
  progress.step("Reading the ledger");
  return await store.ledger.verify({
    signal: io.signal,
    anchorCopies: copies,
    onProgress: (seq, last) => progress.show(`${seq} of ${last} records verified`),
  });
}

async function verifyFile(
  file: string,
  { key, anchorCopies }: { readonly key: string | undefined; readonly anchorCopies: readonly string[] },
  io: CliIo,
): Promise<LedgerVerification | undefined> {
  try {
    const publicKey = key === undefined ? undefined : readFileSync(resolve(io.cwd, key), "utf8");
    using progress = createProgress(io);
    return await verifyExport(linesOf(resolve(io.cwd, file), progress, io), { publicKey, anchorCopies });
  } catch (error) {
    if (io.signal.aborted) throw error;
    fail(`${file} could not be verified: ${messageOf(error)}`, io);
    return undefined;
  }
}

async function* linesOf(path: string, progress: Progress, { signal }: CliIo): AsyncGenerator<string> {
  const { size } = statSync(path);
  const input = createReadStream(path, { signal });
  let count = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    count++;
    progress.show(
      `${plural(count, "line")}, ${Math.round((100 * input.bytesRead) / Math.max(1, size))} % of the file`,
    );
    yield line;
  }
}

function describeVerification(found: LedgerVerification, io: CliIo): string {
  const colours = coloursFor(io);
  const { ok, rows, firstSeq, lastSeq, checkpoints, sealedSeq, problems, ledgerId } = found;
  const range = rows === 0 ? "no records" : `${plural(rows, "record")} (${firstSeq} to ${lastSeq})`;
  const seal = `${plural(checkpoints, "signed checkpoint")}; signed up to record ${sealedSeq}`;
  // A wrong key, or a file that is no export, says nothing about the rows.
  const isUnread = problems.every(({ kind }) => kind === "key" || kind === "unreadable");
  // The records are as they were written, but some of them are missing.
  const isIncomplete = problems.every(({ kind }) => kind === "untaken" || kind === "rejected");
  const bad = isIncomplete
    ? "✗ The ledger is not complete"
    : isUnread
      ? "✗ The ledger cannot be verified"
      : "✗ The ledger was changed";
  const title = ok ? colours.green("✓ The ledger is whole") : colours.red(bad);
  const lines = [`${title}: ${range}, ${seal}. Ledger ${visible(ledgerId)}.`];
  for (const anchor of found.anchors ?? []) lines.push(`  ${describeAnchor(anchor)}`);
  if (found.onTheirWay !== undefined)
    lines.push(`  journals of running processes that are on their way into it: ${found.onTheirWay}`);
  for (const { kind, seq, message } of problems) {
    const where = seq === undefined ? "" : ` at record ${seq}`;
    lines.push(`  ${colours.red(kind)}${where}: ${visible(message)}`);
  }
  if (!ok) lines.push('What to do: docs/operate.md, "When verify finds something".');
  return `${lines.join("\n")}\n`;
}

function describeAnchor({ name, seq, behind }: NonNullable<LedgerVerification["anchors"]>[number]): string {
  const checkpoints = behind === 1 ? "checkpoint is" : "checkpoints are";
  const missing = behind === 0 ? "" : `; ${behind} newer ${checkpoints} not in it (yet)`;
  return `anchor ${visible(name)}: signed up to record ${seq}${missing}`;
}

interface PruneOptions {
  readonly olderThan?: string | undefined;
  readonly yes?: boolean | undefined;
  readonly json?: boolean | undefined;
}

export async function runAuditPrune({ olderThan, yes, json }: PruneOptions, io: CliIo): Promise<number> {
  const age = parseDuration(olderThan ?? "");
  if (age === undefined) return fail("Say which records may go: --older-than 90d.", io);
  // The records tell what an agent did: an agent must not remove them.
  const refused = explainForPeople("to remove records", io);
  if (refused !== undefined) return fail(refused, io);
  await using store = await openOwnStore(io);
  if (yes !== true) {
    const sure = await confirm(`Remove every record older than ${olderThan} for good?`, io);
    if (sure === undefined) return fail("Nothing was removed. Add --yes to remove without a question.", io);
    if (!sure) return fail("Nothing was removed.", io);
  }
  const cut = await store.ledger.removeBefore(Date.now() - age);
  if (json === true) io.out(`${JSON.stringify(cut)}\n`);
  else
    io.out(
      `${plural(cut.removed, "record")} removed; the ledger begins at record ${cut.firstSeq} and can be verified as before.\n`,
    );
  return exitCodes.ok;
}
