/** What stages use, wired by `create-gate`, or by `create-checker` for a check alone. */
import type { ApprovalDesk, Approver, GrantStore } from "../core/call/approval.ts";
import type { Caller, Mode } from "../core/call/call.ts";
import type { Events } from "../core/call/event.ts";
import type { JsonLimits, JsonObject, TakenJson } from "../core/input/json.ts";
import type { NearOwn } from "../core/ports/location.ts";
import type { TestAllPatterns } from "../core/ports/pattern.ts";
import type { Clock, Ids, Ledger, LimitStore, Spill } from "../core/ports/ports.ts";
import type { TaskStore } from "../core/ports/tasks.ts";
import type { Deadlines } from "../core/run/deadlines.ts";
import type { Categories } from "../core/tool/categories.ts";
import type { Registry } from "../core/tool/registry.ts";
import type { FlatField } from "../core/tool/schema.ts";
import type { ToolServices } from "../core/tool/tool.ts";
import type { IsHidden } from "../rules/hidden-tools.ts";
import type { Judges } from "../rules/subject.ts";
import type { Layer } from "./layers/layer.ts";
import type { Plans } from "./plans.ts";
import type { CallLocks } from "./run/call-locks.ts";

/** What a decision needs. Nobody is asked and nothing runs with these parts alone. */
export interface DecidingParts {
  readonly registry: Pick<Registry, "get" | "has" | "withheld" | "suggest">;
  readonly categories: Pick<Categories, "get" | "version">;
  /** Undefined: everybody sees every tool. */
  readonly isHidden: IsHidden | undefined;
  readonly plans: Plans;
  readonly events: Pick<Events, "has" | "emit">;
  readonly clock: Clock;
  readonly ids: Pick<Ids, "call">;
  readonly ledger: Ledger;
  readonly limits: LimitStore;
  /** Whose calls are refused until a new task starts. */
  readonly tasks: Pick<TaskStore, "endOf" | "end">;
  readonly grants: Pick<GrantStore, "find">;
  /** Asked for every approval; undefined with `attended` means that people watch the desk. */
  readonly approver: Approver | undefined;
  readonly attended: boolean;
  readonly approvalTimeoutMs: number;
  readonly spill: Pick<Spill, "belongsTo">;
  readonly judges: Judges;
  /** For calls that an agent runs itself: its shell need not be ours. */
  readonly agentJudges: Judges;
  readonly nearOwn: NearOwn;
  /** Which files a program's name means now, links followed; one with a slash, from each of these folders. */
  readonly findProgramFiles: (name: string, folders: readonly string[]) => readonly string[];
  readonly takeJson: (value: unknown, limits?: JsonLimits) => TakenJson;
  /** Takes an input and checks its fields in one look; undefined: take and check the input the long way. */
  readonly takeFitting: (value: unknown, fields: readonly FlatField[]) => JsonObject | undefined;
  readonly testAllPatterns: TestAllPatterns;
  readonly services: ToolServices;
  readonly roots: readonly string[];
  /** Our own state and configuration. */
  readonly statePaths: readonly string[];
  readonly defaultCaller: Caller;
  /** The mode of a caller's session. */
  readonly modeOf: (sessionId: string | undefined, callerId: string) => Mode;
  readonly home: string | undefined;
  readonly defaultTimeoutMs: number;
  readonly checkDefault: "abstain" | "ask" | "deny";
  readonly isClosed: () => boolean;
}

/** What it takes to ask a person and to run a tool besides. */
export interface GateParts extends DecidingParts {
  readonly ids: Ids;
  readonly desk: ApprovalDesk;
  readonly grants: GrantStore;
  readonly spill: Spill;
  readonly locks: CallLocks;
  readonly deadlines: Deadlines;
  /** Grows by `gate.use`. */
  readonly layers: readonly Layer[];
  readonly maxOutputBytes: number;
  /** Told when a call that was let in has ended. */
  readonly left: () => void;
}
