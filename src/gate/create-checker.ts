/** For a process that lives for one call: the walk of `gate.check` with `wait: false`, and nothing else. */
import { homedir } from "node:os";
import { testAllKnown } from "../config/rule-cache/known-pattern.ts";
import type { CallRequest } from "../core/call/call.ts";
import { type CommandHook, toHook } from "../core/call/hook.ts";
import type { CheckResult } from "../core/call/outcome.ts";
import type { ShellDialect } from "../core/ports/command.ts";
import type { Clock, Ledger } from "../core/ports/ports.ts";
import type { TaskStore } from "../core/ports/tasks.ts";
import { type AgentsRun, checkOnly, type LookedBack, lookBack } from "../pipeline/check.ts";
import type { DecidingParts } from "../pipeline/parts.ts";
import { Plans } from "../pipeline/plans.ts";
import { defaultHookTimeoutMs } from "../pipeline/stages/run-hook.ts";
import type { RuleIndex } from "../rules/compile-plan.ts";
import type { Judges } from "../rules/subject.ts";
import { type CommandHooks, createCommandHooks } from "../safe/command-hook/command-hooks.ts";
import { expandGlob } from "../safe/files/expand-glob.ts";
import { createFindBelow } from "../safe/files/find-below.ts";
import { createLocatePath } from "../safe/files/locate-path.ts";
import { createNearOwn } from "../safe/files/near-own.ts";
import { lookAtRepository } from "../safe/files/repository/look-at-repository.ts";
import { takeJson } from "../safe/schema/json-guard.ts";
import { judgeCommand } from "../shell/judge.ts";
import { incomingCall, type WayIn } from "./incoming-call.ts";
import { createSystemClock } from "./system.ts";

export type { LookedBack } from "../pipeline/check.ts";

export interface CheckerOptions {
  readonly rules: RuleIndex;
  readonly checkDefault: "abstain" | "ask" | "deny";
  /** Which shell reads the agent's command lines. Default: bash. */
  readonly dialect?: ShellDialect;
  /** The workspace, links followed. */
  readonly root: string;
  /** Toolgate's own state: off limits for every call. */
  readonly statePaths?: readonly string[];
  /** Which of it is not even read. */
  readonly secretPaths?: readonly string[];
  /** Folders of toolgate's own programs. */
  readonly programPaths?: readonly string[];
  readonly ledger: Ledger;
  readonly tasks: TaskStore;
  /** Programs that look at the call. */
  readonly hooks?: readonly CommandHook[] | undefined;
  /** How long all of them together may take: the agent does not wait for ever, and goes on without us. */
  readonly hooksMs?: number;
}

export interface Checker {
  /** Asks nobody: what needs a person comes back as `ask`. */
  check(request: CallRequest): Promise<CheckResult>;
  /** The agent has run the tool: its hooks look at what came of it. */
  after(request: CallRequest, end: AgentsRun): Promise<LookedBack>;
  /** Ends programs that still run. */
  close(): Promise<void>;
}

export function createChecker(options: CheckerOptions): Checker {
  const { statePaths = [], secretPaths = [], programPaths = [] } = options;
  const { dialect = "bash" } = options;
  const clock = createSystemClock();
  const { hooks, close } = lateHooks(options, clock);
  const rules = hooks.length === 0 ? options.rules : { ...options.rules, hooks };
  let locate: ReturnType<typeof createLocatePath> | undefined;
  let findBelow: ReturnType<typeof createFindBelow> | undefined;
  // Through functions of our own, so that a bundle can leave the judges out until a policy asks them.
  const judges: Judges = {
    judgeCommand: (line, context) => judgeCommand(line, { ...context, dialect }),
    locatePath: (path, context) => {
      locate ??= createLocatePath({ statePaths, secretPaths, programPaths });
      return locate(path, context);
    },
    expandGlob: (glob, cwd) => expandGlob(glob, cwd),
    findBelow: (tree, cwd, concerns) => {
      findBelow ??= createFindBelow({ statePaths });
      return findBelow(tree, cwd, concerns);
    },
    lookAtRepository: (use, place) => lookAtRepository(use, place),
  };
  const parts: DecidingParts = {
    ...nothingRegistered,
    ...nobodyAsked,
    plans: new Plans(() => nothingRegistered.registry, rules),
    clock,
    ids: { call: callId },
    ledger: options.ledger,
    tasks: options.tasks,
    judges,
    agentJudges: judges,
    nearOwn: createNearOwn({ statePaths, programPaths }),
    takeJson,
    testAllPatterns: testAllKnown,
    defaultCaller: Object.freeze({ id: "local", capabilities: Object.freeze(["*"]) }),
    modeOf: () => "act",
    roots: [options.root],
    statePaths,
    get home() {
      return homedir();
    },
    checkDefault: options.checkDefault,
    isClosed: () => false,
  };
  return {
    check: (request) => checkOnly(incomingCall(request, checked, parts), parts),
    after: (request, end) => lookBack(incomingCall(request, checked, parts), end, parts),
    close,
  };
}

const checked: WayIn = { kind: "check", dry: false, surface: "hook" };

/** Every tool is the agent's own, so nothing of ours is looked up, checked by a schema or run. */
const nothingRegistered = {
  registry: { get: () => undefined, has: () => false, withheld: () => undefined, suggest: () => [] },
  categories: { get: () => undefined, version: 0 },
  isHidden: undefined,
  takeFitting: () => undefined,
  services: {},
  spill: {},
  defaultTimeoutMs: 0,
} satisfies Partial<DecidingParts>;

/** The agent asks its own person. A stage that needs counts or meanings breaks, and what breaks is denied. */
const nobodyAsked = {
  approver: undefined,
  attended: false,
  approvalTimeoutMs: 0,
  grants: { find: () => undefined },
  limits: { take: notHere },
  findProgramFiles: notHere,
  events: { has: () => false, emit: () => {} },
} satisfies Partial<DecidingParts>;

function notHere(): never {
  throw new Error("a process that only checks keeps no counts and asks nobody");
}

/** What starts programs is loaded when the first of them is asked: most calls concern none. */
function lateHooks({ hooks = [], hooksMs = 60_000, root }: CheckerOptions, clock: Clock) {
  const deadline = clock.monotonic() + hooksMs;
  let commands: CommandHooks | undefined;
  const bound = hooks.map((hook) =>
    toHook(
      hook,
      async (event, { signal }) => {
        if (clock.monotonic() >= deadline)
          throw new Error("no time is left for it: the agent waits no longer");
        commands ??= createCommandHooks({ projectDir: root });
        return commands.ask(hook, event, signal);
      },
      () =>
        Math.max(
          1,
          Math.round(Math.min(hook.timeoutMs ?? defaultHookTimeoutMs, deadline - clock.monotonic())),
        ),
    ),
  );
  return { hooks: bound, close: async () => commands?.close() };
}

/** Unique, not secret: `node:crypto` would cost more than the whole check. */
function callId(): string {
  const random = () => Math.floor(Math.random() * 2 ** 52).toString(36);
  return `call_${Date.now().toString(36)}${process.pid.toString(36)}${random()}_1`;
}
