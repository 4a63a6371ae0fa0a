/** The tool `permission_prompt`: an agent asks whether a call that it runs itself may be made. */
import type { CallRequest } from "../../../core/call/call.ts";
import type { CheckResult } from "../../../core/call/outcome.ts";
import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import type { Answer } from "../../../mcp/peer.ts";
import { reasonOf } from "../../hook/process/answer.ts";
import { createAsking } from "../ask/create-asking.ts";
import { type Exchange, objectParam, serverName, textParam, wrongParams } from "../exchange.ts";
import type { ServerContext } from "../server-context.ts";

export const permissionPromptName = "permission_prompt";

/** The parts of a check that the agent is told. */
export type Permission = Pick<CheckResult, "verdict" | "message" | "hint" | "error" | "rule" | "input">;

/** Decides about a call of an agent, and records it. `undecided`: what it means when no rule speaks. */
export type PermissionCheck = (
  call: CallRequest,
  options: { readonly undecided: "ask" | "abstain" },
) => Promise<Permission>;

/** As in tools/list. */
export const permissionPromptTool: JsonObject = Object.freeze({
  name: permissionPromptName,
  title: "Ask for permission",
  description:
    "For the agent itself, not for its model (claude --permission-prompt-tool): may this call run? Rules decide, else a person does. Running it stays with the agent.",
  inputSchema: {
    type: "object",
    properties: {
      tool_name: { type: "string", description: "The agent's tool." },
      input: { type: "object", description: "What it would be called with." },
      tool_use_id: { type: "string", description: "The model's id of the call." },
    },
    required: ["tool_name", "input"],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
});

export async function answerPermissionPrompt(
  exchange: Exchange,
  server: ServerContext,
  check: PermissionCheck,
): Promise<Answer> {
  const { request, transport, era } = exchange;
  const { caller, sessionId, cwd, mayStillCall } = transport;
  const { arguments: given } = request.params;
  const { tool_name: named, input, tool_use_id: id } = isJsonObject(given) ? given : noFields;
  if (typeof named !== "string" || !isJsonObject(input)) {
    // Without input a call would pass every rule that looks at a field. The gate refuses and records it, too.
    const unread = { tool: named as string, input: noInput };
    await check({ ...unread, caller, sessionId, cwd, surface: "mcp" }, { undecided: "ask" });
    textParam(objectParam(request.params, "arguments"), "tool_name");
    throw wrongParams('"input" must be an object.');
  }
  const tool = named;
  // Whoever asks has nobody to ask: the question must not go back to where it came from.
  const asking = createAsking(exchange, neverAsked, {
    ...server.askOptions,
    mayClientAnswer: () => false,
  });
  const permission = await check(
    {
      tool,
      input,
      caller,
      sessionId,
      cwd,
      toolUseId: typeof id === "string" && id !== "" ? id.slice(0, 200) : toolUseIdOf(request.params),
      surface: "mcp",
      signal: asking.signal,
      approver: asking.approver,
      isStillAllowed: mayStillCall && (() => mayStillCall(request.id)),
    },
    { undecided: isOwnCall(tool, server) ? "abstain" : "ask" },
  );
  const text = JSON.stringify(toBehaviour(permission, input));
  return server.stamps.result(era, { content: [{ type: "text", text }] });
}

const noFields: JsonObject = Object.freeze({});

/** Stands for input that is no object: the gate refuses a text, but takes null for an empty input. */
export const noInput = "(not an object)";

/** Joins the record of the agent's hook with the one of this call. */
export function toolUseIdOf({ _meta: meta }: JsonObject): string | undefined {
  const id = isJsonObject(meta) ? meta["claudecode/toolUseId"] : undefined;
  return typeof id === "string" && id.length <= 200 ? id : undefined;
}

/** A tool of this gate is decided when it is called: two questions about one call teach people to say yes. */
function isOwnCall(tool: string, { gate }: ServerContext): boolean {
  const before = `mcp__${serverName}__`;
  const wireName = tool.slice(before.length);
  return tool.startsWith(before) && gate.tools.get(wireName)?.wireName === wireName;
}

/** Only what was let through runs, and with the input that was let through. */
function toBehaviour(permission: Permission, asked: JsonObject): JsonObject {
  const { verdict, input } = permission;
  if (verdict === "allow" || verdict === "abstain")
    return { behavior: "allow", updatedInput: isJsonObject(input) ? input : asked };
  return { behavior: "deny", message: reasonOf(permission) };
}

function neverAsked(): Promise<never> {
  return Promise.reject(new Error("The client that asks for permission is not asked."));
}
