/** One call of an agent, checked: reads it, finds the rules, walks it, records it, answers. Never throws; what goes wrong is a denial. */
import { isAbsolute } from "node:path";
import type { HookAnswer } from "../../agents/agent-decision.ts";
import { findClaudePlaces } from "../../agents/claude-code/places.ts";
import { writesPlanFile } from "../../agents/claude-code/plan-file.ts";
import { type HookInput, readHookInput } from "../../agents/claude-code/read-hook-input.ts";
import { type Environment, findFolders } from "../../config/folders.ts";
import { type ErrorCode, messageOf } from "../../core/errors.ts";
import { createChecker } from "../../create-checker.ts";
import { answerCheck, answerDenied, type HookAgent } from "./answer.ts";
import { findRules } from "./find-rules.ts";
import { shortenText } from "./shorten.ts";
import { createSpool, type Spool } from "./spool.ts";

export interface HookRequest {
  /** Whose form the call has and the answer gets; absent: the bare form and exit codes. */
  readonly agent?: HookAgent;
  /** The call as JSON, or why it could not be read. */
  readonly stdin: string | { readonly problem: string };
  readonly env: Environment;
  readonly cwd: string;
  /** Replaces discovery: this file alone. */
  readonly configFile?: string;
  /** Where the shipped routes are, if not in the package. */
  readonly shippedFile?: string;
}

export async function runHook(request: HookRequest): Promise<HookAnswer> {
  try {
    return await run(request);
  } catch (error) {
    const reason = `The call could not be checked, so it is denied: ${messageOf(error)}`;
    return answerDenied(request.agent, reason);
  }
}

async function run(request: HookRequest): Promise<HookAnswer> {
  const { agent, stdin, env } = request;
  const read =
    typeof stdin === "string" ? readHookInput(stdin) : { ok: false as const, message: stdin.problem };
  const cwd = (read.ok ? read.input.cwd : undefined) ?? request.cwd;
  const spool = createSpool(findFolders(env).state, { agent: agent ?? "neutral", cwd });
  if (!read.ok) {
    recordDenial(nothingRead, "bad_call", read.message, spool);
    return answerDenied(agent, `${read.message} The call is denied.`);
  }
  const { input } = read;
  if (input.event !== "PreToolUse") return closeRecord(input, spool);
  const found = await findRules({
    // Where the agent stands now is for its paths; which rules hold must not change because it walked into another folder.
    cwd: request.cwd,
    projectDir: agent === undefined ? undefined : agentsProject(env),
    configFile: request.configFile,
    shippedFile: request.shippedFile,
    env,
  });
  if (!found.ok) {
    recordDenial(input, "internal_error", found.message, spool);
    return answerDenied(agent, found.message);
  }
  const { cache, warnings, outdated } = found;
  try {
    const { rules, checkDefault, projectDir: root } = cache;
    const checker = createChecker({ rules, checkDefault, root, ledger: spool });
    const { tool, sessionId, toolUseId } = input;
    const mode = agent !== undefined && mayWritePlan(input, env) ? "act" : input.mode;
    const call = { tool, input: input.input, sessionId, toolUseId, mode, cwd, surface: "hook" };
    return answerCheck(agent, await checker.check(call), input.input, { warnings, outdated });
  } finally {
    cache.close();
  }
}

function mayWritePlan(input: HookInput, env: Environment): boolean {
  if (input.mode !== "plan") return false;
  const { home } = findFolders(env);
  return writesPlanFile(input, findClaudePlaces({ home, env, projectDir: agentsProject(env) }).configDir);
}

function agentsProject({ CLAUDE_PROJECT_DIR: folder }: Environment): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}

const keptResultCharacters = 500;

/** The tool has run; nothing said now could change that, so nothing is said. */
function closeRecord(input: HookInput, spool: Spool): HookAnswer {
  const { tool, sessionId, toolUseId, event, response, error, durationMs } = input;
  const text = typeof response === "string" ? response : JSON.stringify(response);
  try {
    spool.end({
      at: Date.now(),
      askedFor: tool,
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
  return { stdout: "", stderr: "", exitCode: 0 };
}

const nothingRead: Pick<HookInput, "tool" | "input" | "sessionId" | "toolUseId"> = {
  tool: "(no name)",
  input: {},
};

/** A call that was denied before it could walk. It is denied either way, so a record that cannot be written changes nothing. */
function recordDenial(input: typeof nothingRead, code: ErrorCode, message: string, spool: Spool): void {
  const { tool, sessionId, toolUseId } = input;
  try {
    spool.close({
      callId: `call_${Date.now().toString(36)}${process.pid.toString(36)}_0`,
      at: Date.now(),
      durationMs: 0,
      surface: "hook",
      kind: "check",
      caller: "local",
      sessionId,
      toolUseId,
      askedFor: tool,
      tool,
      input: input.input,
      verdict: "deny",
      ok: false,
      code,
      stage: "resolve",
      message,
      rule: undefined,
      approval: undefined,
      result: undefined,
    });
  } catch {
    // Nothing runs.
  }
}
