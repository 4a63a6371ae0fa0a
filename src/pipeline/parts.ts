/** Everything a stage may use; wired in one place (`create-gate`) and handed down. */
import type { ApprovalDesk, Approver, GrantStore } from "../core/call/approval.ts";
import type { Caller } from "../core/call/call.ts";
import type { Events } from "../core/call/event.ts";
import type { JsonLimits, JsonObject, TakenJson } from "../core/input/json.ts";
import type { NearOwn } from "../core/ports/location.ts";
import type { TestAllPatterns } from "../core/ports/pattern.ts";
import type { Clock, Ids, Ledger, LimitStore, Spill } from "../core/ports/ports.ts";
import type { Deadlines } from "../core/run/deadlines.ts";
import type { Categories } from "../core/tool/categories.ts";
import type { Registry } from "../core/tool/registry.ts";
import type { FlatField } from "../core/tool/schema.ts";
import type { ToolServices } from "../core/tool/tool.ts";
import type { Judges } from "../rules/subjects.ts";
import type { Layer } from "./layers/layer.ts";
import type { Plans } from "./plans.ts";
import type { CallLocks } from "./run/call-locks.ts";

export interface GateParts {
  readonly registry: Registry;
  readonly categories: Categories;
  readonly plans: Plans;
  readonly events: Events;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly ledger: Ledger;
  readonly limits: LimitStore;
  readonly desk: ApprovalDesk;
  readonly grants: GrantStore;
  /** Asked for every approval; undefined with `attended` means that people watch the desk. */
  readonly approver: Approver | undefined;
  readonly attended: boolean;
  readonly approvalTimeoutMs: number;
  readonly spill: Spill;
  readonly judges: Judges;
  /** For calls that an agent runs itself: its shell need not be ours. */
  readonly agentJudges: Judges;
  readonly nearOwn: NearOwn;
  /** Which files a program's name means now, links followed; a name with a slash from each of these folders. */
  readonly findProgramFiles: (name: string, folders: readonly string[]) => readonly string[];
  readonly takeJson: (value: unknown, limits?: JsonLimits) => TakenJson;
  /** Takes an input and checks it by its fields in one look; undefined: take and check it the long way. */
  readonly takeFitting: (value: unknown, fields: readonly FlatField[]) => JsonObject | undefined;
  readonly testAllPatterns: TestAllPatterns;
  readonly locks: CallLocks;
  readonly deadlines: Deadlines;
  /** Grows by `gate.use`. */
  readonly layers: readonly Layer[];
  readonly services: ToolServices;
  readonly roots: readonly string[];
  /** Our own state and configuration. */
  readonly statePaths: readonly string[];
  readonly defaultCaller: Caller;
  readonly home: string | undefined;
  readonly defaultTimeoutMs: number;
  readonly maxOutputBytes: number;
  readonly checkDefault: "abstain" | "ask" | "deny";
  readonly isClosed: () => boolean;
  /** Told when a call that was let in has ended. */
  readonly left: () => void;
}
