/** The parts that a check needs and nothing else: the same walk as `gate.check` with `wait: false`, for a process that lives for one call. */
import { homedir } from "node:os";
import { testAllKnown } from "../config/rule-cache/known-pattern.ts";
import type { CallRequest } from "../core/call/call.ts";
import type { ToolResult } from "../core/call/content.ts";
import { Stop } from "../core/call/errors.ts";
import { type CommandHook, toHook } from "../core/call/hook.ts";
import type { CheckResult } from "../core/call/outcome.ts";
import type { ShellDialect } from "../core/ports/command.ts";
import type { Clock, Ledger } from "../core/ports/ports.ts";
import type { Call } from "../pipeline/calls.ts";
import { checkTool } from "../pipeline/check.ts";
import type { GateParts } from "../pipeline/parts.ts";
import { emptyPlan, noTool, Plans } from "../pipeline/plans.ts";
import type { RunEnd } from "../pipeline/run/run-end.ts";
import { afterHooks } from "../pipeline/stages/after-hooks.ts";
import { noName, resolve } from "../pipeline/stages/resolve.ts";
import { defaultHookTimeoutMs } from "../pipeline/stages/run-hook.ts";
import type { RuleIndex } from "../rules/compile-plan.ts";
import { type CommandHooks, createCommandHooks } from "../safe/command-hook/command-hooks.ts";
import { expandGlob } from "../safe/files/expand-glob.ts";
import { createFindBelow } from "../safe/files/find-below.ts";
import { createLocatePath } from "../safe/files/locate-path.ts";
import { createNearOwn } from "../safe/files/near-own.ts";
import { lookAtRepository } from "../safe/files/repository/look-at-repository.ts";
import { takeJson } from "../safe/schema/json-guard.ts";
import { judgeCommand } from "../shell/judge.ts";

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
  /** Programs that look at the call. */
  readonly hooks?: readonly CommandHook[] | undefined;
  /** How long all of them together may take: the agent does not wait for ever, and goes on without us. */
  readonly hooksMs?: number;
}

export interface Checker {
  /** Asks nobody: what needs a person comes back as `ask`. */
  check(request: CallRequest): Promise<CheckResult>;
  /** The agent has run the tool: its hooks look at what came of it. Nothing they say can change that. */
  after(request: CallRequest, end: AgentsRun): Promise<void>;
  /** Ends programs that still run. */
  close(): Promise<void>;
}

export interface AgentsRun {
  readonly result: unknown;
  /** Set when the tool failed. */
  readonly error: string | undefined;
  readonly durationMs: number;
}

export function createChecker(options: CheckerOptions): Checker {
  const {
    checkDefault,
    dialect = "bash",
    root,
    statePaths = [],
    secretPaths = [],
    programPaths = [],
    ledger,
  } = options;
  const { hooks, close } = lateHooks(options);
  const rules = hooks.length === 0 ? options.rules : { ...options.rules, hooks };
  const defaultCaller = Object.freeze({ id: "local", capabilities: Object.freeze(["*"]) });
  const registry = { get: () => undefined, has: () => false, withheld: () => undefined, suggest: () => [] };
  let locate: ReturnType<typeof createLocatePath> | undefined;
  let findBelow: ReturnType<typeof createFindBelow> | undefined;
  // Through functions of our own, so that a bundle can leave the judges out until a policy asks them.
  const judges: GateParts["judges"] = {
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
  // No tool is registered, nothing runs and nobody is asked: a stage that reaches for more breaks, and what breaks is denied.
  const parts = {
    registry,
    plans: new Plans(() => registry, rules),
    clock,
    ids: { call: callId },
    ledger,
    grants: { find: () => undefined },
    approver: undefined,
    attended: false,
    judges,
    agentJudges: judges,
    nearOwn: createNearOwn({ statePaths, programPaths }),
    takeJson,
    testAllPatterns: testAllKnown,
    defaultCaller,
    roots: [root],
    get home() {
      return homedir();
    },
    checkDefault,
    events: { emit: () => {} },
    isClosed: () => false,
  } satisfies Partial<Record<keyof GateParts, unknown>> &
    Pick<GateParts, "judges" | "agentJudges"> as unknown as GateParts;
  return {
    check: (request) => checkTool(incoming(request, parts), false, parts),
    async after(request, { result, error, durationMs }) {
      const call = resolve(incoming(request, parts), parts);
      if (call instanceof Stop) return;
      const stop = error === undefined ? undefined : new Stop("tool_failed", "run", error);
      const endedAt = parts.clock.monotonic();
      // What an agent's own tool answers has the agent's own form.
      const run: RunEnd = { stop, value: result, result: result as ToolResult, endedAt, durationMs };
      await afterHooks(call, run, parts);
    },
    close,
  };
}

/** What starts programs is loaded when the first of them is asked: most calls concern none. */
function lateHooks({ hooks = [], hooksMs = 60_000, root }: CheckerOptions) {
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

const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  dateOf: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Unique, not secret: `node:crypto` would cost more than the whole check. */
function callId(): string {
  const random = () => Math.floor(Math.random() * 2 ** 52).toString(36);
  return `call_${Date.now().toString(36)}${process.pid.toString(36)}${random()}_1`;
}

/** What `Gate` makes of a request. */
function incoming(request: CallRequest, parts: GateParts): Call {
  const { tool, input, sessionId, toolUseId, cwd, mode = "act", surface = "hook", isPlanning } = request;
  return {
    callId: callId(),
    at: parts.clock.now(),
    startedAt: parts.clock.monotonic(),
    askedFor: typeof tool === "string" ? tool : noName,
    given: input,
    caller: request.caller ?? parts.defaultCaller,
    sessionId,
    toolUseId,
    mode,
    isPlanning: isPlanning === true,
    inOrder: true,
    cwd: cwd ?? parts.roots[0] ?? "/",
    roots: parts.roots,
    surface,
    signal: undefined,
    onProgress: undefined,
    approver: undefined,
    elicit: undefined,
    isStillAllowed: undefined,
    kind: "check",
    dry: false,
    trace: undefined,
    expected: undefined,
    planned: noTool,
    registered: undefined,
    plan: emptyPlan,
    input: Object.freeze({}),
    fitting: undefined,
    args: undefined,
    contexts: [],
    opened: [],
    askedBy: undefined,
    decision: { verdict: "deny", message: "Nothing has been decided yet." },
    subjects: undefined,
    bound: undefined,
    meaning: undefined,
    release: undefined,
    waited: false,
    started: false,
    notes: undefined,
    through: undefined,
  };
}
