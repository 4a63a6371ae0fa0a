/** What a gate can be told when it is made, and what is refused at once. */
import type { Approver, GrantStore } from "./core/approval.ts";
import type { Caller } from "./core/call.ts";
import type { Category, CategoryChoice } from "./core/categories.ts";
import type { CommandJudge } from "./core/command.ts";
import { ToolgateError } from "./core/errors.ts";
import type { LocatePath } from "./core/location.ts";
import type { Clock, Ids, Ledger, LimitStore, Spill } from "./core/ports.ts";
import type { AnyTool, ToolServices } from "./core/tool.ts";
import { closestNames } from "./core/tool-name.ts";
import type { Rules } from "./rules/rule-set.ts";

export interface GateOptions extends Rules {
  readonly tools?: readonly AnyTool[];
  /** Categories besides the shipped ones. */
  readonly categories?: readonly Category[];
  /** Which categories are on. */
  readonly enable?: CategoryChoice;
  /** The workspace: reading inside is approved by default, everything outside asks. Defaults to the current folder. */
  readonly roots?: readonly string[];
  /** Who answers when a rule asks. `"desk"`: people, through `gate.approvals`. Nobody: what asks is refused. */
  readonly approver?: Approver | "desk";
  readonly approvals?: {
    /** How long a person has to answer. Default: ten minutes. */
    readonly timeoutMs?: number;
    /** A denial also rejects what else waits in the session. Default: true. */
    readonly rejectOthers?: boolean;
    readonly maxPending?: number;
  };
  /** Who calls when a call does not say. Default: `local`, with every capability. */
  readonly defaultCaller?: Caller;
  /** What silence of the rules means for calls that another agent runs. */
  readonly checkDefault?: "abstain" | "ask" | "deny";
  readonly services?: ToolServices;
  readonly defaultTimeoutMs?: number;
  readonly maxOutputBytes?: number;
  readonly ledger?: Ledger;
  readonly limitStore?: LimitStore;
  readonly grantStore?: GrantStore;
  readonly spill?: Spill;
  readonly judgeCommand?: CommandJudge;
  readonly locatePath?: LocatePath;
  readonly clock?: Clock;
  readonly ids?: Ids;
}

/** Wrong options throw: a gate that was not made as its owner meant must not be used. */
export function checkOptions(options: GateOptions): void {
  refuseUnknownKeys("createGate", options, optionNames);
  refuseBadApprover(options.approver);
}

const optionNames: readonly (keyof GateOptions)[] = [
  "routes",
  "policies",
  "limits",
  "hooks",
  "tools",
  "categories",
  "enable",
  "roots",
  "approver",
  "approvals",
  "defaultCaller",
  "checkDefault",
  "services",
  "defaultTimeoutMs",
  "maxOutputBytes",
  "ledger",
  "limitStore",
  "grantStore",
  "spill",
  "judgeCommand",
  "locatePath",
  "clock",
  "ids",
];

/** A misspelt option would be a rule that silently is not there. */
function refuseUnknownKeys(where: string, given: object, known: readonly string[]): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const close = closestNames(key, known, 1)[0];
    throw new ToolgateError(
      `${where} has no option "${key}"${close === undefined ? `; it takes ${known.join(", ")}.` : `; did you mean "${close}"?`}`,
    );
  }
}

function refuseBadApprover(approver: unknown): void {
  if (approver === undefined || approver === "desk") return;
  const { name, ask } = (approver ?? {}) as Partial<Approver>;
  if (typeof name === "string" && name !== "" && typeof ask === "function") return;
  throw new ToolgateError('approver must be "desk" or an object with a name and ask(request, context).');
}
