/** What a gate can be told when it is made, and what is refused at once. */

import { isAbsolute } from "node:path";
import type { ApprovalDesk, Approver, GrantStore } from "../core/call/approval.ts";
import type { Caller } from "../core/call/call.ts";
import { ToolgateError } from "../core/call/errors.ts";
import { isRecord } from "../core/input/json.ts";
import { unknownKeys } from "../core/input/unknown-keys.ts";
import type { CommandJudge, ShellDialect } from "../core/ports/command.ts";
import type { LocatePath } from "../core/ports/location.ts";
import type { Clock, Ids, Ledger, LimitStore, Spill } from "../core/ports/ports.ts";
import type { ModeStore } from "../core/ports/store.ts";
import type { Category, CategoryChoice } from "../core/tool/categories.ts";
import type { AnyTool, ToolServices } from "../core/tool/tool.ts";
import type { Rules } from "../rules/rule-set.ts";

/** What a gate uses of a store. */
export interface GateStore {
  readonly ledger: Ledger;
  readonly approvals: ApprovalDesk;
  readonly grants: GrantStore;
  readonly limits: LimitStore;
  /** Default: plan modes are known to the gate alone. */
  readonly modes?: ModeStore;
  /** Takes out of long output what must not be stored, before it goes to a file. */
  readonly redactText?: (text: string) => string;
}

export interface GateOptions extends Rules {
  readonly tools?: readonly AnyTool[];
  /** Categories besides the shipped ones. */
  readonly categories?: readonly Category[];
  /** Which categories are on. */
  readonly enable?: CategoryChoice;
  /** The workspace: reading inside is approved by default, everything outside asks. Defaults to the current folder. */
  readonly roots?: readonly string[];
  /** The program's own state and configuration: closed to every tool, whatever the rules say. */
  readonly statePaths?: readonly string[];
  /** Which of them hold keys and tokens: closed also to what an agent reads with its own tools, unless a policy names the path. */
  readonly secretPaths?: readonly string[];
  /** Folders of the program itself: closed to every write. */
  readonly programPaths?: readonly string[];
  /** Who answers when a rule asks. `"desk"`: people, through `gate.approvals`. Nobody: what asks is refused. */
  readonly approver?: Approver | "desk";
  readonly approvals?: {
    /** How long a person has to answer. Default: ten minutes. */
    readonly timeoutMs?: number;
    /** A denial also rejects what else waits in the session. Default: true. */
    readonly rejectOthers?: boolean;
    readonly maxPending?: number;
  };
  /** Where questions wait for their answers; by default in memory. Stays open when the gate is closed. */
  readonly approvalDesk?: ApprovalDesk;
  /** Who calls when a call does not say. Default: `local`, with every capability. */
  readonly defaultCaller?: Caller;
  /** What silence of the rules means for calls that another agent runs. */
  readonly checkDefault?: "abstain" | "ask" | "deny";
  /** Which shell reads the command lines of calls that another agent runs. Default: bash, which is what our own shell runs. */
  readonly agentDialect?: ShellDialect;
  readonly services?: ToolServices;
  /** How many hooks that are programs may run at the same time. Default: 8. */
  readonly hookConcurrency?: number;
  readonly defaultTimeoutMs?: number;
  readonly maxOutputBytes?: number;
  /** Ledger, approvals, grants and limits that outlive the process (`openStore`). Stays open when the gate is closed. */
  readonly store?: GateStore;
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
  if (typeof Promise.withResolvers !== "function") {
    throw new ToolgateError(`toolgate needs Node 22.18 or newer; this is ${process.version}.`);
  }
  need(isPlainObject(options), "createGate takes an object of options.");
  refuseUnknownKeys("createGate", options, optionNames);
  checkRuleLists(options);
  const {
    approver,
    enable,
    approvals,
    defaultCaller: caller,
    checkDefault,
    agentDialect,
    roots,
    statePaths,
    secretPaths,
    programPaths,
    tools,
    categories,
  } = options;
  need(
    approver === undefined || approver === "desk" || isApprover(approver),
    'approver must be "desk" or an object with a name and ask(request, context).',
  );
  if (enable !== undefined)
    refuseUnknownKeys("enable", enable, ["enableAll", "enabledCategories", "disabledCategories", "ceilings"]);
  if (approvals !== undefined)
    refuseUnknownKeys("approvals", approvals, ["timeoutMs", "rejectOthers", "maxPending"]);
  need(
    (options.approvalDesk ?? options.store) === undefined ||
      (approvals?.rejectOthers === undefined && approvals?.maxPending === undefined),
    "approvals.rejectOthers and approvals.maxPending are for the desk in memory; tell openStore or your approvalDesk instead.",
  );
  need(caller === undefined || isCaller(caller), "defaultCaller needs an id and a list of capabilities.");
  need(
    checkDefault === undefined || ["abstain", "ask", "deny"].includes(checkDefault),
    `checkDefault must be "abstain", "ask" or "deny", not ${JSON.stringify(checkDefault)}.`,
  );
  need(
    agentDialect === undefined || agentDialect === "bash" || agentDialect === "zsh",
    `agentDialect must be "bash" or "zsh", not ${JSON.stringify(agentDialect)}.`,
  );
  need(
    roots === undefined || (isTexts(roots) && roots.length > 0),
    "roots must be a list of folders, at least one.",
  );
  need(
    statePaths === undefined || (isTexts(statePaths) && statePaths.every((path) => isAbsolute(path))),
    "statePaths must be a list of absolute paths.",
  );
  need(
    secretPaths === undefined || (isTexts(secretPaths) && secretPaths.every((path) => isAbsolute(path))),
    "secretPaths must be a list of absolute paths.",
  );
  need(
    programPaths === undefined || (isTexts(programPaths) && programPaths.every((path) => isAbsolute(path))),
    "programPaths must be a list of absolute paths.",
  );
  need(tools === undefined || Array.isArray(tools), "tools must be a list of tools.");
  need(
    categories === undefined || (Array.isArray(categories) && categories.every(isPlainObject)),
    "categories must be a list of categories.",
  );
  for (const [name, value] of Object.entries({
    defaultTimeoutMs: options.defaultTimeoutMs,
    hookConcurrency: options.hookConcurrency,
    maxOutputBytes: options.maxOutputBytes,
    "approvals.timeoutMs": approvals?.timeoutMs,
    "approvals.maxPending": approvals?.maxPending,
  })) {
    need(
      value === undefined || (Number.isInteger(value) && value > 0),
      `${name} must be a whole number above 0, not ${JSON.stringify(value)}.`,
    );
  }
  for (const [port, methods] of Object.entries(ports)) {
    const given = (options as Record<string, unknown>)[port];
    const has = (method: string) => typeof (given as Record<string, unknown>)[method] === "function";
    need(
      given === undefined || (isPlainObject(given) && methods.every(has)),
      `${port} must be an object with ${methods.join(", ")}.`,
    );
  }
}

/** The form of a set of rules, before any of them is read. */
export function checkRules(rules: Rules): void {
  need(isPlainObject(rules), "Rules are an object with routes, policies, limits and hooks.");
  refuseUnknownKeys("A set of rules", rules, ruleLists);
  checkRuleLists(rules);
}

function checkRuleLists(rules: Rules): void {
  for (const list of ruleLists) {
    need(rules[list] === undefined || Array.isArray(rules[list]), `${list} must be a list.`);
  }
}

const ruleLists = ["routes", "policies", "limits", "hooks"] as const;

const ports: Record<string, readonly string[]> = {
  ledger: ["open", "close"],
  limitStore: ["take"],
  grantStore: ["add", "find", "list", "revoke"],
  approvalDesk: ["open", "wait", "answer", "claim", "done", "withdraw", "pending", "close"],
  spill: ["save"],
  clock: ["now", "monotonic", "dateOf", "after"],
  ids: ["call", "secret"],
};

const optionNames: readonly (keyof GateOptions)[] = [
  ...ruleLists,
  "tools",
  "categories",
  "enable",
  "roots",
  "statePaths",
  "secretPaths",
  "programPaths",
  "approver",
  "approvals",
  "defaultCaller",
  "checkDefault",
  "agentDialect",
  "services",
  "hookConcurrency",
  "defaultTimeoutMs",
  "maxOutputBytes",
  "store",
  "ledger",
  "limitStore",
  "grantStore",
  "approvalDesk",
  "spill",
  "judgeCommand",
  "locatePath",
  "clock",
  "ids",
];

function need(holds: boolean, message: string): asserts holds {
  if (!holds) throw new ToolgateError(message);
}

/** A misspelt option would be a rule that silently is not there. */
export function refuseUnknownKeys(where: string, given: object, known: readonly string[]): void {
  need(isPlainObject(given), `${where} must be an object with ${known.join(", ")}.`);
  const [unknown] = unknownKeys(given, known);
  if (unknown !== undefined)
    throw new ToolgateError(`${where} has no option "${unknown.key}"; ${unknown.instead}`);
}
function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string" && one !== "");
}

function isCaller({ id, capabilities }: Caller): boolean {
  return (
    typeof id === "string" &&
    id !== "" &&
    Array.isArray(capabilities) &&
    capabilities.every((one) => typeof one === "string")
  );
}

function isApprover(approver: Approver): boolean {
  return (
    isPlainObject(approver) &&
    typeof approver.name === "string" &&
    approver.name !== "" &&
    typeof approver.ask === "function"
  );
}

/** Narrows to `object` only, so that the type of an option stays what it is. */
function isPlainObject(value: unknown): value is object {
  return isRecord(value);
}
