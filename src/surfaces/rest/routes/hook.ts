/** The hook of an agent over HTTP: the same check and the same answer as `toolgate check --agent`. */
import { Type } from "typebox";
import type { HookAgent } from "../../../agents/agent-hook.ts";
import { agentNames, findAgent, openAgent } from "../../../agents/all-agents.ts";
import { answerDenied } from "../../hook/process/answer.ts";
import { readCall } from "../../hook/process/read-call.ts";
import { recordRefused } from "../../hook/process/run-hook.ts";
import { checkHook } from "../../hook/served/check-hook.ts";
import type { HookCredentials } from "../../hook/served/hook-credentials.ts";
import type { HookService } from "../../hook/served/hook-service.ts";
import { isSameHome, readScriptCall, readScriptHead } from "../../hook/served/script-call.ts";
import { type Answer, bare, ready } from "../../http/answer.ts";
import { readBearer } from "../../http/bearer.ts";
import { type ProblemAnswer, problem } from "../../http/problem.ts";
import type { RouteRequest } from "../../http/route.ts";
import { isStillAllowed } from "../../http/still-allowed.ts";
import { recordRefusedCall } from "../record-refused.ts";
import { defineRoute, type RestParts } from "../rest-route.ts";

type HookRequest = RouteRequest<{ readonly agent: string }, unknown, unknown>;

const hook = defineRoute({
  method: "POST",
  path: "/api/hook/:agent",
  right: "call",
  summary: "Checks a call that an agent is about to run",
  description:
    "Takes what the agent hands to its hooks and answers in its own form: 200 with its JSON, `{}` when no rule speaks. A rule that asks " +
    "is put to the agent's own prompt, or waits for a person while somebody watches, as long as `Toolgate-Wait` (seconds) says, and denies then.",
  params: { agent: `${agentNames.map((name) => `\`${name}\``).join(", ")}.` },
  // Whatever is in it, the agent's adapter reads it again, with its own words for what is wrong.
  body: Type.Unknown(),
  answers: { 200: Type.Record(Type.String(), Type.Unknown()) },
  otherForms: [
    { contentType: "text/x-toolgate-hook", description: "For the script that `toolgate install` puts in." },
  ],
  // The script sends nothing of a call before it has seen this.
  welcome(header, { hooks }) {
    const sent = header("toolgate-call");
    if (sent === undefined) return undefined;
    const head = readScriptHead(sent);
    if (head === undefined || hooks?.door === undefined) return unreadable;
    return refuseScript(hooks, hooks.door, header("authorization")) ?? hooks.door.proofFor(head.nonce);
  },
  onRefused: (refused, parts) =>
    recordRefusedCall(refused, { surface: "hook", kind: "check", tool: "(no name)" }, parts),
  async handle(request, parts) {
    const { hooks } = parts;
    if (hooks === undefined) return problem("unavailable", "This server checks no calls of agents.");
    const known = findAgent(request.params.agent);
    if (known === undefined)
      return problem("not_found", "This agent is not known.", {
        hint: `Known is ${agentNames.join(", ")}.`,
      });
    const asked: AskedBy = { request, hooks, agent: await openAgent(known) };
    const sent = request.header("toolgate-call");
    return sent === undefined ? answerAgent(asked, parts) : answerScript(asked, sent, parts);
  },
});

export const hookRoutes = [hook];

interface AskedBy {
  readonly request: HookRequest;
  readonly hooks: HookService;
  readonly agent: HookAgent;
}

/** The agent itself asks: no variables of its process are known, only where it stands. */
async function answerAgent({ request, hooks, agent }: AskedBy, { tokens }: RestParts): Promise<Answer> {
  const { holder, signal, bodyText: text } = request;
  const { read } = await readCall(agent, text, hooks.env);
  const { cwd = process.cwd(), sessionId } = read.ok ? read.input : {};
  const said = request.header("toolgate-project");
  const first = hooks.projectOf(holder.caller.id, sessionId, cwd);
  const project = said?.startsWith("/") === true ? said : first;
  const { projectVariable } = agent;
  const env = projectVariable === undefined ? hooks.env : { ...hooks.env, [projectVariable]: project };
  const checked = await checkHook(
    {
      agent,
      text,
      cwd: project,
      env,
      caller: holder.caller,
      isOwner: false,
      isStillAllowed: () => isStillAllowed(request, tokens, ["call"]),
      signal,
      waitMs: waitOf(Number(request.header("toolgate-wait") ?? Number.NaN), hooks),
    },
    hooks,
  );
  if (!checked.ok) {
    const asked = { agent, stdin: text, env: hooks.env, cwd: project, caller: holder.caller.id };
    recordRefused(asked, "internal_error", checked.message);
  }
  const { stdout } = checked.ok ? checked.answer : answerDenied(agent, checked.message);
  return ready("application/json", stdout === "" ? "{}" : stdout);
}

/** The script asks in place of a process, and starts that process if we do not answer as it wants. */
async function answerScript(
  { request, hooks, agent }: AskedBy,
  sent: string,
  { clock, tokens }: RestParts,
): Promise<Answer> {
  const { door } = hooks;
  const refused = refuseScript(hooks, door, request.header("authorization"));
  if (refused !== undefined) return refused;
  const call = readScriptCall(sent, request.trailer("toolgate-place") ?? "");
  if (call === undefined || door === undefined) return unreadable;
  const { nonce, cwd, env } = call;
  if (!isSameHome(env, hooks.env)) return problem("conflict", "The call belongs to another home.");
  let stopBeating = clock.after(heartbeatMs, beat);
  function beat(): void {
    request.stillWorking();
    stopBeating = clock.after(heartbeatMs, beat);
  }
  try {
    const checked = await checkHook(
      {
        agent,
        text: request.bodyText,
        cwd,
        env,
        caller: request.holder.caller,
        isOwner: true,
        // The token of a file that others could read by now is taken back, too.
        isStillAllowed: async () =>
          door.whyUnsafe() === undefined && (await isStillAllowed(request, tokens, ["call"])),
        signal: request.signal,
        waitMs: waitOf(call.waitSeconds, hooks),
      },
      hooks,
    );
    if (!checked.ok) return problem("unavailable", checked.message);
    const { stdout, stderr, exitCode } = checked.answer;
    const head = `${exitCode} ${Buffer.byteLength(stdout)}`;
    const place = placeIn(stdout, stderr);
    const said =
      place === undefined
        ? `${head} ${Buffer.byteLength(stderr)}\n${stdout}${stderr}`
        : `${head} ${place}\n${stdout}`;
    const length = String(Buffer.byteLength(said)).padStart(7, "0");
    return bare("text/x-toolgate-hook", `${door.key} ${nonce} ${length} ${said}`);
  } finally {
    stopBeating();
  }
}

const unreadable = problem("bad_request", "Toolgate-Call or the trailer Toolgate-Place cannot be read.");

/** Variables say which files are rules and where records go: only the script's own token may send them. */
function refuseScript(
  hooks: HookService,
  door: HookCredentials | undefined,
  authorization: string | undefined,
): ProblemAnswer | undefined {
  if (door?.isOwnToken(readBearer(authorization) ?? "") !== true)
    return problem("forbidden", "Only the hook's script may ask in this form.");
  const unsafe = door.whyUnsafe();
  if (unsafe === undefined) return undefined;
  hooks.tell(unsafe);
  return problem("unavailable", unsafe);
}

/** Where in the agent's JSON the same text stands: bash reads byte by byte, and not the same text twice. */
function placeIn(json: string, text: string): string | undefined {
  const said = text.slice(0, -1);
  if (!text.endsWith("\n") || said.includes("\\")) return undefined;
  const written = JSON.stringify(said).slice(1, -1);
  const at = written.replaceAll("\\n", "\n") === said ? json.indexOf(written) : -1;
  return at === -1 ? undefined : `=${Buffer.byteLength(json.slice(0, at))}:${Buffer.byteLength(written)}`;
}

/** After each the script waits for seven seconds more. */
const heartbeatMs = 2_000;
/** What an answer may need on its way back. */
const marginMs = 15_000;

/** From how long the agent waits. */
function waitOf(seconds: number, { maxWaitMs }: HookService): number {
  const given = seconds * 1_000 - marginMs;
  return Number.isFinite(given) ? Math.min(maxWaitMs, Math.max(1_000, given)) : maxWaitMs;
}
