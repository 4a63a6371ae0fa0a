/** One call of an agent, checked: reads it, finds the rules, walks it, records it, answers. Never throws; what goes wrong is a denial. */
import { dirname, join } from "node:path";
import type { HookAnswer } from "../../../agents/agent-decision.ts";
import { findClaudePlaces } from "../../../agents/claude-code/places.ts";
import { isPlanning } from "../../../agents/claude-code/planning.ts";
import { type HookInput, readHookInput } from "../../../agents/claude-code/read-hook-input.ts";
import { type Environment, findFolders } from "../../../config/folders.ts";
import { ownPaths } from "../../../config/own-paths.ts";
import { agentDialect } from "../../../config/settings/agent-dialect.ts";
import type { StrangerReader } from "../../../config/trust/strangers.ts";
import { type ErrorCode, messageOf } from "../../../core/call/errors.ts";
import type { Ledger } from "../../../core/ports/ports.ts";
import { type Checker, createChecker } from "../../../gate/create-checker.ts";
import { shortenText } from "../../../safe/redact/shorten.ts";
import { refusedRecord } from "../refused-record.ts";
import { answerCheck, answerDenied, type HookAgent } from "./answer.ts";
import { agentsProject, findPlace } from "./find-place.ts";
import { type FoundRules, findRules, type RulesRequest } from "./find-rules.ts";
import { createSpool, type Spool } from "./spool.ts";

export interface HookRequest {
  /** Whose form the call has and the answer gets; absent: the bare form and exit codes. */
  readonly agent?: HookAgent;
  /** The call as JSON, or why it could not be read. */
  readonly stdin: string | { readonly problem: string };
  readonly env: Environment;
  /** Where the hook was started; undefined: that folder is gone. */
  readonly cwd: string | undefined;
  /** In whose name the agent asks: a token's, or (default) the user's own. */
  readonly caller?: string;
  /** Replaces discovery: this file alone. */
  readonly configFile?: string;
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

async function run(request: HookRequest): Promise<HookAnswer> {
  const { agent, stdin, env, caller = localCaller } = request;
  const read =
    typeof stdin === "string" ? readHookInput(stdin) : { ok: false as const, message: stdin.problem };
  const found = read.ok ? findPlace({ agent, input: read.input, env, startedIn: request.cwd }) : undefined;
  // Where the agent stands now is for its paths; the project that it names says which rules hold.
  const cwd = (read.ok ? read.input.cwd : undefined) ?? request.cwd ?? found?.projectDir ?? "/";
  const spool = spoolOf(request, cwd);
  if (!read.ok) {
    recordDenial({ ...nothingRead, cwd }, caller, "bad_call", read.message, spool);
    return answerDenied(agent, `${read.message} The call is denied.`);
  }
  const { input } = read;
  if (found === undefined) {
    recordDenial({ ...input, cwd }, caller, "bad_call", nowhere, spool);
    return answerDenied(agent, nowhere);
  }
  const { configFile, shippedFile, strangers } = request;
  const place: RulesRequest = { ...found, configFile, shippedFile, strangers, env };
  if (input.event !== "PreToolUse") {
    closeRecord(input, caller, spool);
    if (!isTooLarge(stdin as string)) await lookAfterwards(input, cwd, caller, place, spool).catch(() => {});
    return silence;
  }
  if (isTooLarge(stdin as string)) {
    const message = `The call is larger than ${maxCallBytes} bytes.`;
    recordDenial({ ...input, cwd, input: {} }, caller, "input_too_large", message, spool);
    return answerDenied(agent, `${message} It is denied: write large content in several steps.`);
  }
  const check = async (from: RulesRequest): Promise<HookAnswer | undefined> => {
    const found = await findRules(from);
    if (found.ok) return checkWith(found, request, input, cwd, spool);
    recordDenial({ ...input, cwd }, caller, "internal_error", found.message, spool);
    return answerDenied(agent, found.message);
  };
  const answer = (await check(place)) ?? (await check({ ...place, withoutCache: true }));
  if (answer === undefined) throw new Error("the rules cannot be read");
  return answer;
}

/** What was refused before any rule could look at it leaves a record, too. Never throws: it is denied either way. */
export function recordRefused(request: HookRequest, code: ErrorCode, message: string): void {
  const { stdin, caller = localCaller } = request;
  try {
    const read = typeof stdin === "string" ? readHookInput(stdin) : undefined;
    const input = read?.ok === true ? read.input : nothingRead;
    recordDenial(input, caller, code, message, spoolOf(request, input.cwd ?? request.cwd ?? "/"));
  } catch {
    // Nothing runs.
  }
}

function spoolOf({ agent, env }: HookRequest, cwd: string): Spool {
  return createSpool(findFolders(env).state, { agent: agent ?? "neutral", cwd });
}

const localCaller = "local";

/** Undefined: the cache broke on the way, and nothing was decided or recorded. */
async function checkWith(
  { cache, warnings, outdated }: FoundRules & { ok: true },
  { agent, env, shippedFile }: HookRequest,
  input: HookInput,
  cwd: string,
  spool: Spool,
): Promise<HookAnswer | undefined> {
  let checker: Checker | undefined;
  try {
    const { rules, checkDefault, projectDir: root, hooks } = cache;
    const dialect = agentDialect(cache.shellDialect, env);
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
      hooks,
      hooksMs,
    });
    const { tool, sessionId, toolUseId, mode } = input;
    const planning = { mode, isPlanning: agent !== undefined && mayPlan(input, env) };
    const call = { tool, input: input.input, sessionId, toolUseId, ...planning, cwd, surface: "hook" };
    const result = await checker.check(call);
    return cache.isDamaged() ? undefined : answerCheck(agent, result, input.input, { warnings, outdated });
  } finally {
    cache.close();
    await checker?.close();
  }
}

/** For hooks that are programs, together: with all the rest it stays below the half minute that our entries in agents' settings ask for. */
const hooksMs = 18_000;

/** Best effort: the tool has run, the session does not wait, and nothing is said. */
async function lookAfterwards(
  input: HookInput,
  cwd: string,
  caller: string,
  place: RulesRequest,
  spool: Spool,
): Promise<void> {
  const found = await findRules(place);
  if (!found.ok) return;
  const { rules, checkDefault, projectDir: root, hooks = [] } = found.cache;
  const { tool, sessionId, toolUseId, event, error, durationMs = 0 } = input;
  try {
    if (!hooks.some(({ type }) => type !== "PreToolUse")) return;
    const checker = createChecker({ rules, checkDefault, root, ledger: spool, hooks, hooksMs });
    const by = { id: caller, capabilities: [] };
    const call = { tool, input: input.input, caller: by, sessionId, toolUseId, cwd, surface: "hook" };
    const failed = event === "PostToolUse" ? undefined : (error ?? "The tool failed.");
    await checker.after(call, { result: input.response ?? null, error: failed, durationMs });
    await checker.close();
  } finally {
    found.cache.close();
  }
}

const nowhere =
  "The folder in which the hook was started is gone, and the call names no other, so nobody knows which rules hold. The call is denied.";

const silence: HookAnswer = { stdout: "", stderr: "", exitCode: 0 };

const maxCallBytes = 4 * 1024 * 1024;

/** A character has at most three bytes for each unit of its length. */
function isTooLarge(text: string): boolean {
  return text.length > maxCallBytes / 3 && Buffer.byteLength(text) > maxCallBytes;
}

/** Does the client need this call to plan? */
export function mayPlan(input: HookInput, env: Environment): boolean {
  return isPlanning(input, () => {
    const { home, state } = findFolders(env);
    const { configDir, projectDir } = findClaudePlaces({ home, env, projectDir: agentsProject(env) });
    const serversFile = join(env.CLAUDE_CONFIG_DIR === undefined ? home : configDir, ".claude.json");
    return { configDir, projectDir, serversFile, addressFile: join(state, "hook.addr") };
  });
}

const keptResultCharacters = 500;

/** The tool has run; nothing said now could change that, so nothing is said. */
function closeRecord(input: HookInput, caller: string, spool: Spool): void {
  const { tool, sessionId, toolUseId, event, response, error, durationMs } = input;
  try {
    // A response that is nested too deep to be written ends here, too.
    const text = typeof response === "string" ? response : JSON.stringify(response);
    spool.end({
      at: Date.now(),
      askedFor: tool,
      caller,
      ...(sessionId !== undefined && { sessionId }),
      ...(toolUseId !== undefined && { toolUseId }),
      ok: event === "PostToolUse",
      ...(durationMs !== undefined && { durationMs }),
      ...(error !== undefined && { error: shortenText(error, keptResultCharacters) }),
      ...(text !== undefined && { result: shortenText(text, keptResultCharacters) }),
    });
  } catch {
    // A record without an end reads as what it is.
  }
}

const nothingRead: Pick<HookInput, "tool" | "input" | "sessionId" | "toolUseId" | "cwd" | "mode"> = {
  tool: "(no name)",
  input: {},
  mode: "act",
};

/** A call that was denied before it could walk. It is denied either way, so a record that cannot be written changes nothing. */
function recordDenial(
  input: typeof nothingRead,
  caller: string,
  code: ErrorCode,
  message: string,
  spool: Spool,
): void {
  const { tool, sessionId, toolUseId, cwd = "/", mode } = input;
  try {
    spool.close(
      refusedRecord({
        surface: "hook",
        kind: "check",
        caller,
        tool,
        cwd,
        code,
        message,
        input: input.input,
        mode,
        sessionId,
        toolUseId,
      }),
    );
  } catch {
    // Nothing runs.
  }
}
