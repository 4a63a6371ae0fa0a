/** The parts that a check needs and nothing else: the same walk as `gate.check` with `wait: false`, for a process that lives for one call. */
import { homedir } from "node:os";
import { testAllKnown } from "./config/rule-cache/known-pattern.ts";
import type { CallRequest } from "./core/call.ts";
import type { CheckResult } from "./core/outcome.ts";
import type { Clock, Ledger } from "./core/ports.ts";
import type { Call } from "./pipeline/calls.ts";
import { checkTool } from "./pipeline/check.ts";
import type { GateParts } from "./pipeline/parts.ts";
import { emptyPlan, noTool, Plans } from "./pipeline/plans.ts";
import { noName } from "./pipeline/resolve.ts";
import type { RuleIndex } from "./rules/compile-plan.ts";
import { expandGlob } from "./safe/expand-glob.ts";
import { takeJson } from "./safe/json-guard.ts";
import { createLocatePath } from "./safe/locate-path.ts";
import { judgeCommand } from "./shell/judge.ts";

export interface CheckerOptions {
  readonly rules: RuleIndex;
  readonly checkDefault: "abstain" | "ask" | "deny";
  /** The workspace, links followed. */
  readonly root: string;
  /** Toolgate's own state: off limits for every call. */
  readonly statePaths?: readonly string[];
  readonly ledger: Ledger;
}

export interface Checker {
  /** Asks nobody: what needs a person comes back as `ask`. */
  check(request: CallRequest): Promise<CheckResult>;
}

export function createChecker({
  rules,
  checkDefault,
  root,
  statePaths = [],
  ledger,
}: CheckerOptions): Checker {
  const defaultCaller = Object.freeze({ id: "local", capabilities: Object.freeze(["*"]) });
  const registry = { get: () => undefined, has: () => false, suggest: () => [] };
  let locate: ReturnType<typeof createLocatePath> | undefined;
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
    // Through functions of our own, so that a bundle can leave the judges out until a policy asks them.
    judges: {
      judgeCommand: (line, context) => judgeCommand(line, context),
      locatePath: (path, context) => {
        locate ??= createLocatePath({ statePaths });
        return locate(path, context);
      },
      expandGlob: (glob, cwd) => expandGlob(glob, cwd),
    },
    takeJson,
    testAllPatterns: testAllKnown,
    defaultCaller,
    roots: [root],
    get home() {
      return homedir();
    },
    checkDefault,
    isClosed: () => false,
  } satisfies Partial<Record<keyof GateParts, unknown>> & Pick<GateParts, "judges"> as unknown as GateParts;
  return { check: (request) => checkTool(incoming(request, parts), false, parts) };
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
  const { tool, input, sessionId, toolUseId, cwd, mode = "act", surface = "hook" } = request;
  return {
    callId: callId(),
    at: parts.clock.now(),
    startedAt: parts.clock.monotonic(),
    askedFor: typeof tool === "string" ? tool : noName,
    given: input,
    caller: parts.defaultCaller,
    sessionId,
    toolUseId,
    mode,
    cwd: cwd ?? parts.roots[0] ?? "/",
    roots: parts.roots,
    surface,
    signal: undefined,
    onProgress: undefined,
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
    decision: { verdict: "deny", message: "Nothing has been decided yet." },
    release: undefined,
    waited: false,
    started: false,
    through: undefined,
  };
}
