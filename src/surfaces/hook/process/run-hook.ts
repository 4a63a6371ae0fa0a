/** One call of an agent: reads it, finds the rules, walks, records, answers. What goes wrong is a denial. */
import { dirname } from "node:path";
import { type HookAgent, type HookAnswer, type HookInput, silence } from "../../../agents/agent-hook.ts";
import { agentShell } from "../../../agents/all-agents.ts";
import { type Environment, findFolders } from "../../../config/folders.ts";
import { ownPaths } from "../../../config/own-paths.ts";
import { agentDialect } from "../../../config/settings/agent-dialect.ts";
import type { StrangerReader } from "../../../config/trust/strangers.ts";
import { agentFacts } from "../../../core/call/asking-agent.ts";
import { type ErrorCode, messageOf } from "../../../core/call/errors.ts";
import type { Ledger } from "../../../core/ports/ports.ts";
import { type Checker, createChecker } from "../../../gate/create-checker.ts";
import { openTasks } from "../../../open/open-tasks.ts";
import { askingAgent } from "../asking-agent.ts";
import { refusedRecord } from "../refused-record.ts";
import { type Asked, answerEnd, hooksMs } from "./after-call.ts";
import { noteAfterHooks } from "./after-hooks-note.ts";
import { answerCheck, answerDenied } from "./answer.ts";
import { agentsPlace, findPlace } from "./find-place.ts";
import { type FoundRules, findRules, type RulesRequest } from "./find-rules.ts";
import { mayPlan } from "./may-plan.ts";
import { notRead, readCall } from "./read-call.ts";
import { createSpool } from "./spool.ts";
import { whoAsks } from "./who-asks.ts";

export interface HookRequest {
  /** Whose form the call has and the answer gets. */
  readonly agent: HookAgent;
  /** The call as JSON, or why it could not be read. */
  readonly stdin: string | { readonly problem: string };
  readonly env: Environment;
  /** Where the hook was started; undefined: that folder is gone. */
  readonly cwd: string | undefined;
  /** In whose name the agent asks: a token's, or (default) the user's own. */
  readonly caller?: string;
  /** Replaces discovery: this file alone. */
  readonly configFile?: string;
  /** Anybody can start this, so it cannot be a person's word that something new begins. */
  readonly isNoAgent?: true;
  /** Where the shipped routes are, if not in the package. */
  readonly shippedFile?: string;
  /** Who reads files that nobody vouches for: a server must not do it itself. */
  readonly strangers?: StrangerReader | undefined;
}

export async function runHook(request: HookRequest): Promise<HookAnswer> {
  try {
    return await run(request);
  } catch (error) {
    const reason = `The call could not be checked, so it is denied: ${messageOf(error)}`;
    recordRefused(request, "internal_error", reason);
    return answerDenied(request.agent, reason);
  }
}

async function run(asking: HookRequest): Promise<HookAnswer> {
  const { stdin, env, configFile, shippedFile, strangers } = asking;
  const { read, agent, isAskedElsewhere } =
    typeof stdin === "string"
      ? await readCall(asking.agent, stdin, env)
      : notRead(asking.agent, stdin.problem);
  const request = { ...asking, agent };
  if (!read.ok)
    return deny(
      askedOf(request, read.input ?? nothingRead),
      "bad_call",
      read.message,
      `${read.message} The call is denied.`,
    );
  const { input } = read;
  if (request.isNoAgent === true ? input.event === "UserPromptSubmit" : isAskedElsewhere) return silence;
  const found = findPlace({ agent, input, env, startedIn: request.cwd });
  // Where the agent stands now is for its paths; the project that it names says which rules hold.
  const asked = askedOf(request, input, found?.projectDir);
  if (found === undefined) return input.event === "PreToolUse" ? deny(asked, "bad_call", nowhere) : silence;
  const place: RulesRequest = { ...found, configFile, shippedFile, strangers, env };
  const isLarge = isTooLarge(stdin as string);
  if (input.event !== "PreToolUse") return answerEnd(asked, place, isLarge);
  if (isLarge) {
    const message = `The call is larger than ${maxCallBytes} bytes.`;
    const told = `${message} It is denied: write large content in several steps.`;
    return deny({ ...asked, input: { ...input, input: {} } }, "input_too_large", message, told);
  }
  const check = async (from: RulesRequest): Promise<HookAnswer | undefined> => {
    const rules = await findRules(from);
    return rules.ok ? checkWith(rules, asked) : deny(asked, "internal_error", rules.message);
  };
  const answer = (await check(place)) ?? (await check({ ...place, withoutCache: true }));
  if (answer === undefined) throw new Error("the rules cannot be read");
  return answer;
}

/** A call that was refused before any rule could look at it leaves a record, too. Never throws. */
export function recordRefused(request: HookRequest, code: ErrorCode, message: string): void {
  const { agent, stdin, env } = request;
  try {
    const read = typeof stdin === "string" ? agent.read(stdin, agentsPlace(agent, env)) : undefined;
    deny(askedOf(request, read?.input ?? nothingRead), code, message);
  } catch {
    // Nothing runs.
  }
}

const nothingRead: HookInput = { event: "PreToolUse", tool: "(no name)", input: {}, mode: "act" };

function askedOf(request: HookRequest, input: HookInput, project = "/"): Asked {
  const { agent, env, shippedFile, caller = "local" } = request;
  const cwd = input.cwd ?? request.cwd ?? project;
  const { state } = findFolders(env);
  const spool = createSpool(state, { ...agentFacts(askingAgent(agent, input)), cwd });
  return { agent, env, input, cwd, caller, state, spool, ...(shippedFile !== undefined && { shippedFile }) };
}

/** A call that is denied before it can walk, also where the record cannot be written. */
function deny(asked: Asked, code: ErrorCode, message: string, told = message): HookAnswer {
  const { agent, caller, cwd, spool } = asked;
  const { tool, input, mode, sessionId, toolUseId } = asked.input;
  const call = { caller, tool, input, cwd, mode, sessionId, toolUseId };
  try {
    spool.close(refusedRecord({ surface: "hook", kind: "check", code, message, ...call }));
  } catch {
    // Nothing runs.
  }
  return answerDenied(agent, told);
}

/** Undefined: the cache broke on the way, and nothing was decided or recorded. */
async function checkWith(
  { cache, warnings, outdated }: FoundRules & { ok: true },
  { agent, env, shippedFile, input, cwd, state, spool }: Asked,
): Promise<HookAnswer | undefined> {
  let checker: Checker | undefined;
  try {
    const { rules, checkDefault, projectDir: root, hooks, asking } = cache;
    const dialect = agentDialect(cache.shellDialect, agentShell(env));
    const ledger: Ledger = {
      open: (intent) => spool.open(intent),
      close(record) {
        if (cache.isDamaged()) throw new Error("the rule cache is damaged");
        return spool.close(record);
      },
    };
    const program = shippedFile === undefined ? undefined : dirname(dirname(shippedFile));
    checker = createChecker({
      rules,
      checkDefault,
      dialect,
      root,
      ...ownPaths(findFolders(env), program, cache.anchorFiles),
      ledger,
      tasks: openTasks(state),
      hooks,
      hooksMs,
    });
    noteAfterHooks(state, input.sessionId, hooks);
    const { tool, sessionId, toolUseId, mode } = input;
    const place = agentsPlace(agent, env);
    const planning = { mode, isPlanning: mayPlan(agent, input, place) };
    const asks = whoAsks({ agent, input, place }, asking);
    const { unsure } = asks;
    const call = {
      tool,
      input: input.input,
      sessionId,
      toolUseId,
      ...planning,
      unsure,
      cwd,
      surface: "hook",
    };
    const result = await checker.check(call);
    if (cache.isDamaged()) return undefined;
    return answerCheck({ agent, input: input.input, asks }, result, { warnings, outdated });
  } finally {
    cache.close();
    await checker?.close();
  }
}

const nowhere =
  "The folder in which the hook was started is gone, and the call names no other, so nobody knows which rules hold. The call is denied.";

const maxCallBytes = 4 * 1024 * 1024;

/** A character has at most three bytes for each unit of its length. */
function isTooLarge(text: string): boolean {
  return text.length > maxCallBytes / 3 && Buffer.byteLength(text) > maxCallBytes;
}
