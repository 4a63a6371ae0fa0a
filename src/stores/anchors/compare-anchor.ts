/** Compares an anchor with the state folder: every checkpoint that the anchor knows must be in the folder. */
import type { LedgerProblem, VerifiedAnchor } from "../../core/ports/ledger-reader.ts";
import { type Checkpoint, hashLine, readCheckpoint, toPublicKeys } from "../ledger/checkpoint.ts";
import { parseLine } from "../ledger/parse-line.ts";

export interface AnchorCopy {
  readonly name: string;
  readonly lines: readonly string[];
  /** Of a log or a service: it may begin later, and something may stand before each line. */
  readonly isExcerpt: boolean;
}

export interface SignedState {
  readonly ledgerId: string;
  /** PEM, of several keys one below the other; undefined: nothing was ever signed here. */
  readonly publicKey: string | undefined;
  readonly lines: readonly string[];
  /** Where the lines are, for messages. Default: the state folder. */
  readonly what?: string;
}

export interface ComparedAnchor {
  readonly anchor: VerifiedAnchor;
  readonly problems: readonly LedgerProblem[];
}

export function compareAnchor(copy: AnchorCopy, state: SignedState): ComparedAnchor {
  const { name } = copy;
  const problems: LedgerProblem[] = [];
  const wrong = (kind: LedgerProblem["kind"], seq: number | undefined, message: string) =>
    problems.push({ kind, seq, message });
  const keys = usableKeys(state.publicKey);
  const { what = "state folder" } = state;
  const here = new Map(state.lines.map((line, index) => [line, index]));
  /** The last one of each other ledger. */
  const others = new Map<string, Claim>();
  const lost: Checkpoint[] = [];
  const seen = new Set<string>();
  let before: string | undefined;
  let last: Checkpoint | undefined;
  let newest = -1;
  for (const [index, written] of copy.lines.entries()) {
    const where = `Line ${index + 1} of ${name}`;
    const line = copy.isExcerpt ? written.slice(Math.max(0, written.indexOf("{"))) : written;
    // Two processes may bring the same one.
    if (seen.has(line)) continue;
    seen.add(line);
    const checkpoint = keys && readCheckpoint(line, keys);
    const claim = checkpoint ?? claimOf(line);
    if (claim === undefined)
      wrong("anchor", undefined, `${where} is no checkpoint: somebody wrote it there.`);
    else if (claim.ledger !== state.ledgerId) others.set(claim.ledger, claim);
    else if (checkpoint === undefined)
      wrong(
        "anchor",
        claim.seq,
        `${where} is not signed by the ledger's key: the line or the key was changed.`,
      );
    else {
      const isFirst = before === undefined;
      const follows = isFirst
        ? copy.isExcerpt || checkpoint.before === "" || checkpoint.before === "missing"
        : checkpoint.before === before;
      if (!follows)
        wrong(
          "anchor",
          checkpoint.seq,
          `Before line ${index + 1} of ${name} a line was removed, changed or moved.`,
        );
      const at = here.get(line);
      if (at === undefined) lost.push(checkpoint);
      else newest = Math.max(newest, at);
      if (last === undefined || checkpoint.seq >= last.seq) last = checkpoint;
    }
    before = hashLine(line);
  }
  for (const [ledger, { seq, at }] of others)
    wrong(
      "replaced",
      undefined,
      `${name} knows another ledger (${ledger}, ${seq} records at ${shownTime(at)}): the ${what} was removed, emptied or replaced.`,
    );
  const lastLost = lost.at(-1);
  if (lastLost !== undefined) {
    const signed = lastSeq(state.lines);
    const most = Math.max(...lost.map(({ seq }) => seq));
    const missing = most > signed ? ` Records ${signed + 1} to ${most} are missing.` : "";
    wrong(
      "truncated",
      Math.min(signed + 1, most),
      `${name} knows ${lost.length} signed ${lost.length === 1 ? "checkpoint" : "checkpoints"} that the ${what} does not have, the last one of ${shownTime(lastLost.at)} for ${lastLost.seq} records; here ${signed} are signed. The end was removed, or an older copy of the ${what} was put back.${missing}`,
    );
  }
  const anchor: VerifiedAnchor = { name, seq: last?.seq ?? 0, behind: state.lines.length - 1 - newest };
  return { anchor, problems: problems.slice(0, mostProblems) };
}

const mostProblems = 20;

type Claim = Pick<Checkpoint, "ledger" | "seq" | "at">;

/** What a line says, whoever signed it. */
function claimOf(line: string): Claim | undefined {
  const { ledger, seq, at, kind, signature } = parseLine(line) ?? {};
  const isOne =
    (kind === "checkpoint" || kind === "cut") &&
    typeof ledger === "string" &&
    typeof seq === "number" &&
    typeof at === "number" &&
    typeof signature === "string";
  return isOne ? { ledger: ledger.slice(0, 64), seq, at } : undefined;
}

function usableKeys(pems: string | undefined): ReturnType<typeof toPublicKeys> | undefined {
  try {
    return pems === undefined ? undefined : toPublicKeys(pems);
  } catch {
    // Whoever verifies the ledger says so.
    return undefined;
  }
}

function lastSeq(lines: readonly string[]): number {
  return Math.max(0, ...lines.slice(-2).map((line) => claimOf(line)?.seq ?? 0));
}

function shownTime(at: number): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? "an unknown time" : time.toISOString();
}
