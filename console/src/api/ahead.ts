/** Shapes of answers that `toolgate/contract` does not have yet. */
import type { RuleRef, Verification } from "toolgate/contract";

export interface PreviewPath {
  readonly path: string;
  readonly shown: string;
  readonly inside: boolean;
  readonly access: "read" | "write";
  readonly protected?: string;
}

export type Risk = "read" | "write" | "execute" | "opaque";

export interface PreviewCommand {
  readonly text: string;
  readonly argv: readonly string[];
  readonly dynamic: readonly number[];
  readonly risk: Risk;
  readonly network: boolean;
  readonly reads: readonly PreviewPath[];
  readonly writes: readonly PreviewPath[];
  readonly globs: readonly string[];
  readonly via: readonly string[];
  readonly beyond?: string;
  readonly unknownPaths: boolean;
  readonly program?: string;
}

export interface PreviewShell {
  readonly line: string;
  readonly risk: Risk;
  readonly network: boolean;
  readonly commands: readonly PreviewCommand[];
  readonly redirects: readonly PreviewPath[];
  readonly notUnderstood: readonly { readonly reason: string; readonly text: string }[];
  readonly cut: boolean;
}

export interface PreviewFile extends PreviewPath {
  readonly change: "create" | "edit" | "delete" | "move" | "none" | "unknown";
  readonly movedTo?: string;
  readonly before?: string;
  readonly after?: string;
  readonly redactions: number;
  readonly hidden?: string;
  readonly changedSince?: boolean;
}

export interface CallPreview {
  readonly tool: string;
  readonly summary: string;
  readonly danger: "low" | "high";
  readonly why: readonly string[];
  readonly shell?: PreviewShell;
  readonly files: readonly PreviewFile[];
  readonly urls: readonly { readonly url: string; readonly host: string; readonly path: string }[];
}

export interface PastCall {
  readonly seq: number;
  readonly at: number;
  readonly callId?: string;
  readonly tool: string;
  readonly summary: string;
  readonly verdict: string;
  readonly ok: boolean;
  readonly code?: string;
  readonly rule?: RuleRef;
}

export interface PastAnswers {
  readonly asked: number;
  readonly approved: number;
  readonly denied: number;
  readonly expired: number;
  readonly latest: readonly {
    readonly id: string;
    readonly at: number;
    readonly decision: "approve" | "deny";
    readonly by: string;
    readonly reason?: string;
    readonly summary: string;
  }[];
}

export interface ApprovalPreview {
  readonly id: string;
  readonly state: string;
  readonly serverTime: number;
  readonly call: CallPreview;
  readonly lastCalls: readonly PastCall[];
  readonly like: {
    readonly rule: PastAnswers;
    readonly program?: { readonly name: string; readonly answers: PastAnswers };
  };
}

export interface Histogram {
  readonly since: number;
  readonly until: number;
  readonly bucketMs: number;
  readonly buckets: readonly {
    readonly at: number;
    readonly allow: number;
    readonly ask: number;
    readonly deny: number;
    readonly abstain: number;
    readonly failed: number;
    readonly unknown: number;
    readonly p50Ms?: number;
    readonly p95Ms?: number;
  }[];
  readonly scanned: number;
  readonly complete: boolean;
}

export interface Refusals {
  readonly rules: readonly {
    readonly rule?: RuleRef;
    readonly code: string;
    readonly count: number;
    readonly lastAt: number;
  }[];
  readonly complete: boolean;
}

export interface RuleHits {
  readonly hits: readonly {
    readonly rule: RuleRef;
    readonly count: number;
    readonly lastAt: number;
    readonly allow: number;
    readonly ask: number;
    readonly deny: number;
    readonly inForce: boolean;
  }[];
  readonly neverMatched: readonly RuleRef[];
  readonly records: number;
  readonly complete: boolean;
}

export interface Questions {
  readonly since: number;
  readonly open: number;
  readonly asked: number;
  readonly approved: number;
  readonly denied: number;
  readonly expired: number;
  readonly withdrawn: number;
  readonly medianAnswerMs?: number;
  readonly p95AnswerMs?: number;
}

export interface VerificationState {
  readonly state: "never" | "running" | "done" | "failed";
  readonly startedAt?: number;
  readonly startedBy?: string;
  readonly seq?: number;
  readonly lastSeq?: number;
  readonly finishedAt?: number;
  readonly result?: Verification;
  readonly message?: string;
}

export type Verdict = "allow" | "ask" | "deny" | "abstain";

export interface ReplayResult {
  readonly ok: boolean;
  readonly problems: readonly {
    readonly line?: number;
    readonly column?: number;
    readonly message: string;
  }[];
  readonly calls: number;
  readonly changed: number;
  readonly changes: readonly {
    readonly seq: number;
    readonly at: number;
    readonly tool: string;
    readonly caller?: string;
    readonly summary: string;
    readonly before: Verdict;
    readonly now: Verdict;
    readonly rule?: RuleRef;
    readonly message?: string;
  }[];
  readonly leftOut: { readonly limited: number; readonly elsewhere: number; readonly noTool: number };
  readonly incomplete: number;
  readonly stoppedEarly: boolean;
}

export interface RuleTestReport {
  readonly passed: number;
  readonly failed: number;
  readonly files: readonly {
    readonly file: string;
    readonly problem?: string;
    readonly tests: readonly {
      readonly rule: RuleRef;
      readonly desc: string;
      readonly ok: boolean;
      readonly expect: string;
      readonly verdict: Verdict;
      readonly message?: string;
      readonly decidedBy?: RuleRef;
      readonly shadowedBy?: RuleRef;
    }[];
  }[];
}

export interface Token {
  readonly name: string;
  readonly rights: readonly string[];
  readonly capabilities: readonly string[];
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly expired: boolean;
}

export interface TokenList {
  readonly tokens: readonly Token[];
}

export type GivenToken = Token & { readonly token: string };

export interface Agent {
  readonly name: string;
  readonly title: string;
  readonly version?: string;
  readonly onMachine: boolean;
  readonly installed: readonly string[];
  readonly measured?: string;
  readonly can: readonly string[];
  readonly cannot: readonly string[];
  readonly holes: readonly string[];
}

export interface AgentList {
  readonly agents: readonly Agent[];
}

export interface Login {
  readonly token: string;
  readonly caller: string;
  readonly rights: readonly string[];
  readonly expiresAt: number;
}
