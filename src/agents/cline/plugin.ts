/**
 * Our plugin for Cline: asks toolgate before each tool runs, and tells it how it ended. Cline gives a plugin
 * three seconds for an answer, and what it throws ends the run: everything is caught here. While a person is
 * asked, the call is skipped, and the model told to make it again; the question stays open meanwhile.
 */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createResident, type ResidentAnswer } from "../in-process/resident.ts";
import { createLaterAnswers } from "./later-answers.ts";
import type { ClineAnswer } from "./write-answer.ts";

interface Snapshot {
  readonly agentId?: string;
  readonly parentAgentId?: string | null;
  readonly conversationId?: string;
}

interface CallContext {
  readonly snapshot: Snapshot;
  readonly toolCall: { readonly toolCallId: string; readonly toolName: string };
  readonly input: unknown;
}

interface ResultContext extends CallContext {
  readonly result: { readonly output: unknown; readonly isError?: boolean };
  readonly durationMs: number;
}

interface SetupContext {
  readonly workspaceInfo?: { readonly rootPath?: string };
  readonly client?: { readonly version?: string };
}

const resident = createResident(toolgateValues);
const later = createLaterAnswers({ patienceMs: 2_200 });
let place: { readonly workspaceRoots?: readonly string[]; readonly clineVersion?: string } = {};

const plugin = {
  name: "toolgate",
  manifest: { capabilities: ["hooks"] },
  setup(_api: unknown, { workspaceInfo, client }: SetupContext = {}): void {
    const { rootPath = process.cwd() } = workspaceInfo ?? {};
    place = {
      workspaceRoots: [rootPath],
      ...(client?.version !== undefined && { clineVersion: client.version }),
    };
    resident.warmUp();
  },
  hooks: {
    async beforeRun({ snapshot }: { readonly snapshot: Snapshot }) {
      await later.soon("", () => tell({ hookName: "prompt_submit", ...about(snapshot) }));
      return undefined;
    },
    async beforeTool({ snapshot, toolCall: { toolCallId: id, toolName: name }, input }: CallContext) {
      const said = about(snapshot);
      const servers = name.includes("__") ? { servers: mcpServers() } : {};
      const call = { hookName: "tool_call", ...said, ...servers, tool_call: { id, name, input } };
      const answer = await later.soon(JSON.stringify([said, name, input]), () => ask(call));
      if (answer === undefined) return { skip: true, reason: later.waiting(id) };
      const { cancel, errorMessage, contextModification, overrideInput } = answer;
      if (cancel === true) return { skip: true, reason: errorMessage ?? "Blocked by toolgate." };
      return {
        ...(overrideInput !== undefined && { input: overrideInput }),
        ...(contextModification !== undefined && { appendContext: contextModification }),
      };
    },
    async afterTool({ snapshot, toolCall, input, result, durationMs }: ResultContext) {
      const { toolCallId: id, toolName: name } = toolCall;
      // Three failures in a row end the run, and nothing has failed yet.
      if (later.wasWaiting(id)) return { result: { output: result.output, isError: false } };
      const { output, isError = false } = result;
      const end = { id, name, input, output, durationMs, ...(isError && { error: JSON.stringify(output) }) };
      const servers = name.includes("__") ? { servers: mcpServers() } : {};
      const call = { hookName: "tool_result", ...about(snapshot), ...servers, tool_result: end };
      const { cancel, errorMessage, contextModification } = (await later.soon("", () => tell(call))) ?? {};
      return {
        ...(cancel === true && { stop: true, reason: errorMessage }),
        ...(contextModification !== undefined && { appendContext: contextModification }),
      };
    },
  },
};

export default plugin;

function about({
  conversationId: taskId,
  agentId: agent_id,
  parentAgentId: parent_agent_id,
}: Snapshot): object {
  return { ...place, taskId, agent_id, parent_agent_id };
}

/** Whatever is not an answer denies. */
async function ask(call: object): Promise<ClineAnswer> {
  const answer = await resident.ask(call);
  if (!answer.ok) return { cancel: true, errorMessage: answer.reason };
  const said = readAnswer(answer);
  if (said !== undefined && answer.exitCode === 0) return said;
  const errorMessage = said?.errorMessage ?? (answer.stderr.trim() || undefined);
  return { cancel: true, errorMessage: errorMessage ?? "The call could not be checked, so it is denied." };
}

/** The call has run: what nobody could look at changes nothing any more. */
async function tell(call: object): Promise<ClineAnswer> {
  const answer = await resident.ask(call);
  return (answer.ok && answer.exitCode === 0 ? readAnswer(answer) : undefined) ?? {};
}

/** Undefined: it is none. */
function readAnswer({ stdout }: ResidentAnswer & { readonly ok: true }): ClineAnswer | undefined {
  if (stdout === "") return {};
  try {
    return JSON.parse(stdout) as ClineAnswer;
  } catch {
    return undefined;
  }
}

/** As Cline finds them; without them a name with two separators is denied. */
function mcpServers(): readonly string[] {
  const { CLINE_DIR, CLINE_DATA_DIR, HOME } = process.env;
  const data = CLINE_DATA_DIR || join(CLINE_DIR || join(HOME || homedir(), ".cline"), "data");
  try {
    const text = readFileSync(join(data, "settings", "cline_mcp_settings.json"), "utf8");
    return Object.keys((JSON.parse(text) as { mcpServers?: object }).mcpServers ?? {});
  } catch {
    return [];
  }
}
