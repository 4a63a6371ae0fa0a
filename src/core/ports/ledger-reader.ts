/** Reading the ledger: for people who look, for programs that export, and for whoever doubts it. */

import type { RuleRef } from "../call/errors.ts";
import type { Verdict } from "../call/outcome.ts";
import type { JsonObject } from "../input/json.ts";

/**
 * intent: durable before a tool that writes or executes started. completion: how the call ended, refused ones
 * too. unknown: its process died between the two. end: how a call ended that another agent ran. note: what
 * was done to the ledger itself, and who changed what calls may do: categories, trust, tokens, grants,
 * accepted upstreams.
 */
export const ledgerKinds = ["intent", "completion", "unknown", "end", "note"] as const;

export type LedgerKind = (typeof ledgerKinds)[number];

export interface LedgerEntry {
  /** Without gaps. */
  readonly seq: number;
  readonly hash: string;
  readonly kind: LedgerKind;
  readonly at: number;
  readonly callId: string | undefined;
  readonly tool: string | undefined;
  /** Everything that was recorded. Of a completion: the fields of a LedgerRecord, those that have a value. */
  readonly body: JsonObject;
}

export interface LedgerFilter {
  /** Milliseconds since the epoch; `until` is not included. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** A tool's id; `*` stands for any text. */
  readonly tool?: string | undefined;
  readonly caller?: string | undefined;
  readonly session?: string | undefined;
  /** The model's own id of the tool use: of an agent's hook and of the call that it made here. */
  readonly toolUseId?: string | undefined;
  readonly verdict?: Verdict | undefined;
  readonly code?: string | undefined;
  /** Anywhere in the record, in any case. */
  readonly text?: string | undefined;
  /** Without calls whose id begins so: those of one gate begin alike. */
  readonly notCalls?: string | undefined;
  /** Default: completion and unknown, one entry per call. */
  readonly kinds?: readonly LedgerKind[] | undefined;
}

export interface LedgerPageRequest {
  /** Default: 50; at most 1,000. */
  readonly limit?: number | undefined;
  /** Default: newest first. */
  readonly order?: "newest" | "oldest" | undefined;
  /** The `next` of the page before. */
  readonly after?: number | undefined;
}

export interface LedgerPage {
  readonly entries: readonly LedgerEntry[];
  /** Where the next page begins; absent at the end. */
  readonly next?: number;
}

export interface LedgerStats {
  readonly calls: number;
  readonly unknown: number;
  readonly byVerdict: readonly LedgerCount[];
  /** The most used first, at most 50. */
  readonly byTool: readonly (LedgerCount & {
    readonly refused: number;
    readonly medianMs: number | undefined;
  })[];
  readonly byCaller: readonly LedgerCount[];
  /** Of calls that did not succeed. */
  readonly byCode: readonly LedgerCount[];
  readonly byDay: readonly LedgerCount[];
}

export interface LedgerCount {
  readonly name: string;
  readonly count: number;
}

export type LedgerProblemKind =
  | "edited"
  | "missing"
  | "inserted"
  | "truncated"
  | "replaced"
  | "checkpoint"
  | "key"
  | "anchor"
  | "unreadable"
  | "untaken"
  | "rejected";

export interface LedgerProblem {
  readonly kind: LedgerProblemKind;
  /** The first row that is concerned, where there is one. */
  readonly seq: number | undefined;
  readonly message: string;
}

export interface LedgerVerification {
  readonly ok: boolean;
  readonly ledgerId: string;
  readonly rows: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly checkpoints: number;
  /** Up to this row nothing can have been changed, removed or added without the key. */
  readonly sealedSeq: number;
  /** What was compared with; absent: nothing outside of the state folder. */
  readonly anchors?: readonly VerifiedAnchor[];
  /** How many running processes have records on their way into the ledger. What others left is a problem. */
  readonly onTheirWay?: number;
  /** At most 100. */
  readonly problems: readonly LedgerProblem[];
}

/** Where signed checkpoints are kept besides the state folder. */
export type LedgerAnchor =
  /** Absolute. Lines are only ever added. */
  | { readonly file: string }
  | { readonly syslog: true }
  /** Gets them by POST, as lines of JSON. */
  | { readonly url: string; readonly allowPrivate?: boolean };

export interface VerifiedAnchor {
  readonly name: string;
  /** The highest record of this ledger that it knows to be signed. */
  readonly seq: number;
  /** How many checkpoints of the state folder it does not have yet. */
  readonly behind: number;
}

export interface LedgerHistogram {
  readonly since: number;
  readonly until: number;
  readonly bucketMs: number;
  readonly buckets: readonly LedgerBucket[];
  /** How many records were looked at. */
  readonly scanned: number;
  /** False: older records are not counted yet, or there are too many; ask again. */
  readonly complete: boolean;
}

/** Calls that began in this time, by verdict. */
export interface LedgerBucket extends Readonly<Record<Verdict, number>> {
  readonly at: number;
  /** Of those that were allowed. */
  readonly failed: number;
  readonly unknown: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
}

export interface LedgerRuleCount {
  readonly rule: RuleRef | undefined;
  readonly code: string | undefined;
  readonly count: number;
  readonly lastAt: number;
  readonly allow: number;
  /** A person was asked, whatever the answer. */
  readonly ask: number;
  readonly deny: number;
}

export interface LedgerRuleCounts {
  /** The most frequent first. */
  readonly rules: readonly LedgerRuleCount[];
  /** How many records were looked at. */
  readonly records: number;
  readonly complete: boolean;
}

/** Over which time is counted; `until` is not included. */
export interface LedgerSpan {
  readonly since: number;
  readonly until: number;
}

export interface LedgerCut {
  readonly removed: number;
  readonly firstSeq: number;
}

export interface LedgerReader {
  query(filter?: LedgerFilter, page?: LedgerPageRequest): Promise<LedgerPage>;
  /** Every entry about one call, oldest first. By call id, by `seq`, or by the model's id of a tool use. */
  show(callIdOrSeq: string | number): Promise<readonly LedgerEntry[]>;
  /** Intents without an end: calls that run now, in any process. */
  running(): Promise<readonly LedgerEntry[]>;
  stats(filter?: LedgerFilter): Promise<LedgerStats>;
  /** Calls over time, for a chart. Filters of the span count, those of the filter do not. */
  histogram(filter: LedgerFilter, span: LedgerSpan & { readonly buckets: number }): Promise<LedgerHistogram>;
  /** Which rules decided how often; with `byCode` also by why a call ended. */
  ruleCounts(
    filter: LedgerFilter,
    span: LedgerSpan & { readonly byCode: boolean },
  ): Promise<LedgerRuleCounts>;
  /** What is there after `after` (default: from now on), then what is added, until the signal aborts. */
  follow(options?: {
    readonly filter?: LedgerFilter | undefined;
    readonly after?: number | undefined;
    readonly signal?: AbortSignal | undefined;
  }): AsyncIterable<LedgerEntry>;
  /** JSON lines that can be verified on another machine: a head, every row, every checkpoint. */
  export(options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<string>;
  verify(options?: {
    readonly signal?: AbortSignal | undefined;
    readonly onProgress?: ((seq: number, lastSeq: number) => void) | undefined;
    /** Further files to compare with: copies of an anchor, of a log, of what a service got. */
    readonly anchorCopies?: readonly string[] | undefined;
  }): Promise<LedgerVerification>;
  /** Takes in what hooks have written since. `query`, `stats`, `follow`, `export` do it by themselves. */
  takeSpool(): Promise<{ readonly taken: number }>;
  /** Signs what is there. Happens by itself every 1,000 rows, every minute and at the end. */
  checkpoint(): Promise<void>;
  /** Removes what is older and leaves a signed note: what remains can be verified as before. */
  removeBefore(time: number): Promise<LedgerCut>;
}
