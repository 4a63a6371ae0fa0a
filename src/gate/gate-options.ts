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
import type { TaskStore } from "../core/ports/tasks.ts";
import type { Category, CategoryChoice } from "../core/tool/categories.ts";
import type { AnyTool, ToolServices } from "../core/tool/tool.ts";
import { explainBadHidden } from "../rules/hidden-tools.ts";
import type { Rules } from "../rules/rule-set.ts";
import type { HiddenTools } from "../rules/shapes/hidden-shape.ts";

/** What a gate uses of a store. */
export interface GateStore {
  readonly ledger: Ledger;
  readonly approvals: ApprovalDesk;
  readonly grants: GrantStore;
  readonly limits: LimitStore;
  /** Default: plan modes are known to the gate alone. */
  readonly modes?: ModeStore;
  /** Default: tasks that hooks ended are known to the gate alone. */
  readonly tasks?: TaskStore;
  /** Takes out of long output what must not be stored, before it goes to a file. */
  readonly redactText?: (text: string) => string;
}

export interface GateOptions extends Rules {
  readonly tools?: readonly AnyTool[];
  /** Categories besides the shipped ones. */
  readonly categories?: readonly Category[];
  /** Which categories are on. */
  readonly enable?: CategoryChoice;
  /** Tools that some callers neither see nor can call. */
  readonly hidden?: readonly HiddenTools[];
  /** The workspace: reading inside is approved, everything outside asks. Default: the current folder. */
  readonly roots?: readonly string[];
  /** The program's own state and configuration: closed to every tool, whatever the rules say. */
  readonly statePaths?: readonly string[];
  /** State that holds keys and tokens: an agent does not even read it, unless a policy names the path. */
  readonly secretPaths?: readonly string[];
  /** Folders of the program itself: closed to every write. */
  readonly programPaths?: readonly string[];
  /** Who answers when a rule asks. `"desk"`: people, by `gate.approvals`. Nobody: such calls are refused. */
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
  /** Which shell reads the command lines that another agent runs. Default: bash, as for our own tool. */
  readonly agentDialect?: ShellDialect;
  readonly services?: ToolServices;
  /** How many hooks that are programs may run at the same time. Default: 8. */
  readonly hookConcurrency?: number;
  readonly defaultTimeoutMs?: number;
  readonly maxOutputBytes?: number;
  /** Ledger, approvals, grants and limits that outlive the process (`openStore`). Closed by its owner. */
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

/** The names of all options. */
export function gateOptionNames(): readonly string[] {
  return Object.keys(optionChecks);
}

/** Wrong options throw: a gate that was not made as its owner meant must not be used. */
export function checkOptions(options: GateOptions): void {
  if (typeof Promise.withResolvers !== "function") {
    throw new ToolgateError(`toolgate needs Node 22.18 or newer; this is ${process.version}.`);
  }
  need(isRecord(options), "createGate takes an object of options.");
  refuseUnknownKeys("createGate", options, gateOptionNames());
  refuseWrong(options, optionChecks);
  const { approvals = {}, approvalDesk = options.store } = options;
  need(
    approvalDesk === undefined ||
      (approvals.rejectOthers === undefined && approvals.maxPending === undefined),
    "approvals.rejectOthers and approvals.maxPending are for the desk in memory; tell openStore or your approvalDesk instead.",
  );
  const { timeoutMs, maxPending } = approvals;
  const counts = { "approvals.timeoutMs": timeoutMs, "approvals.maxPending": maxPending };
  refuseWrong(counts, { "approvals.timeoutMs": aboveZero, "approvals.maxPending": aboveZero });
}

/** The form of a set of rules, before any of them is read. */
export function checkRules(rules: Rules): void {
  need(isRecord(rules), "Rules are an object with routes, policies, limits and hooks.");
  refuseUnknownKeys("A set of rules", rules, Object.keys(ruleChecks));
  refuseWrong(rules, ruleChecks);
}

/** A misspelt option would be a rule that silently is not there. */
export function refuseUnknownKeys(where: string, given: object, known: readonly string[]): void {
  const wrong = onlyKeys(known)(given);
  if (wrong !== undefined) throw new ToolgateError(`${where} ${wrong}`);
}

function refuseWrong(given: object, checks: Readonly<Record<string, Check>>): void {
  for (const [name, check] of Object.entries(checks)) {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    const wrong = value === undefined ? undefined : check(value);
    if (wrong !== undefined) throw new ToolgateError(`${name} ${wrong}`);
  }
}

/** What is wrong with a value, in words that go on after its name. */
type Check = (value: unknown) => string | undefined;

const must =
  (holds: (value: unknown) => boolean, message: string): Check =>
  (value) =>
    holds(value) ? undefined : message;

const oneOf = (...known: readonly string[]): Check => {
  const all = known.map((one) => `"${one}"`);
  const choice = `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
  return (value) =>
    known.includes(value as string) ? undefined : `must be ${choice}, not ${JSON.stringify(value)}.`;
};

const onlyKeys =
  (known: readonly string[]): Check =>
  (given) => {
    if (!isRecord(given)) return `must be an object with ${known.join(", ")}.`;
    const [unknown] = unknownKeys(given, known);
    return unknown && `has no option "${unknown.key}"; ${unknown.instead}`;
  };

const having = (...methods: readonly string[]): Check =>
  must(
    (port) => isRecord(port) && methods.every((method) => typeof port[method] === "function"),
    `must be an object with ${methods.join(", ")}.`,
  );

const aboveZero: Check = (value) =>
  Number.isInteger(value) && (value as number) > 0
    ? undefined
    : `must be a whole number above 0, not ${JSON.stringify(value)}.`;

const anything: Check = () => undefined;
const list = must(Array.isArray, "must be a list.");
const paths = must(
  (value) => isTexts(value) && value.every((path) => isAbsolute(path)),
  "must be a list of absolute paths.",
);

const ruleChecks: Readonly<Record<keyof Rules, Check>> = {
  routes: list,
  policies: list,
  limits: list,
  hooks: list,
};

/** Every option; one without a row does not compile. */
const optionChecks: Readonly<Record<keyof GateOptions, Check>> = {
  ...ruleChecks,
  tools: must(Array.isArray, "must be a list of tools."),
  categories: must((value) => Array.isArray(value) && value.every(isRecord), "must be a list of categories."),
  enable: onlyKeys(["enableAll", "enabledCategories", "disabledCategories", "ceilings"]),
  hidden: (value) => (Array.isArray(value) ? explainBadHidden(value) : "must be a list."),
  roots: must((value) => isTexts(value) && value.length > 0, "must be a list of folders, at least one."),
  statePaths: paths,
  secretPaths: paths,
  programPaths: paths,
  approver: must(isApprover, 'must be "desk" or an object with a name and ask(request, context).'),
  approvals: onlyKeys(["timeoutMs", "rejectOthers", "maxPending"]),
  defaultCaller: must(isCaller, "needs an id and a list of capabilities."),
  checkDefault: oneOf("abstain", "ask", "deny"),
  agentDialect: oneOf("bash", "zsh"),
  services: anything,
  hookConcurrency: aboveZero,
  defaultTimeoutMs: aboveZero,
  maxOutputBytes: aboveZero,
  store: anything,
  ledger: having("open", "close"),
  limitStore: having("take"),
  grantStore: having("add", "find", "list", "revoke"),
  approvalDesk: having("open", "wait", "answer", "claim", "done", "withdraw", "pending", "close"),
  spill: having("save"),
  judgeCommand: anything,
  locatePath: anything,
  clock: having("now", "monotonic", "dateOf", "after"),
  ids: having("call", "secret"),
};

function need(holds: boolean, message: string): void {
  if (!holds) throw new ToolgateError(message);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string" && one !== "");
}

function isCaller(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { id, capabilities } = value;
  const isText = (one: unknown) => typeof one === "string";
  return isText(id) && id !== "" && Array.isArray(capabilities) && capabilities.every(isText);
}

function isApprover(value: unknown): boolean {
  if (value === "desk") return true;
  if (!isRecord(value)) return false;
  const { name, ask } = value;
  return typeof name === "string" && name !== "" && typeof ask === "function";
}
