/** Prompts: the skills of the gate, and those of upstream servers as `server__prompt`; all are fetched through the gate. */
import { textOf } from "../../core/content.ts";
import type { JsonObject } from "../../core/json.ts";
import type { UpstreamPrompt, Upstreams } from "../../core/upstream.ts";
import type { Gate } from "../../gate.ts";
import { isObject } from "../../mcp/messages.ts";
import type { Asking } from "./ask/asking.ts";
import { dispatch, refused } from "./call-tool.ts";
import { type Exchange, objectParam, optionalText, textParam } from "./exchange.ts";

export interface Skill {
  readonly id: string;
  readonly description: string;
}

const separator = "__";

export async function listPrompts(
  { request }: Exchange,
  skills: (signal: AbortSignal) => Promise<readonly Skill[]>,
  upstreams: Upstreams | undefined,
): Promise<JsonObject> {
  const cursor = optionalText(request.params, "cursor");
  const { signal } = request;
  const own = cursor === undefined ? (await skills(signal)).map(skillPrompt) : [];
  const page = await upstreams?.listPrompts({ cursor }, { signal });
  return {
    prompts: [...own, ...(page?.prompts ?? []).map(upstreamPrompt)],
    ...(page?.nextCursor !== undefined && { nextCursor: page.nextCursor }),
  };
}

export async function getPrompt(exchange: Exchange, asking: Asking, gate: Gate): Promise<JsonObject> {
  const { params } = exchange.request;
  const name = textParam(params, "name");
  const args = objectParam(params, "arguments");
  const at = name.indexOf(separator);
  const isOfUpstream = at > 0;
  const outcome = isOfUpstream
    ? await dispatch(
        "mcp.prompt_get",
        { server: name.slice(0, at), name: name.slice(at + separator.length), arguments: args },
        exchange,
        asking,
        gate,
      )
    : await dispatch(
        "skill.load",
        { name, ...(typeof args.args === "string" && { args: args.args }) },
        exchange,
        asking,
        gate,
      );
  if (!outcome.ok) throw refused(outcome.error);
  const { result } = outcome;
  const { structured } = result;
  if (isOfUpstream && isObject(structured) && Array.isArray(structured.messages)) return promptOf(structured);
  return { messages: [{ role: "user", content: { type: "text", text: textOf(result) } }] };
}

/** Only what belongs to a prompt: with the rest of a result a server could ask the client for something in the gate's name. */
function promptOf({ messages = [], description }: JsonObject): JsonObject {
  return { ...(typeof description === "string" && { description }), messages };
}

/** Which server has this prompt, and how it calls it. */
export function splitPromptName(
  name: string,
): { readonly server: string; readonly name: string } | undefined {
  const at = name.indexOf(separator);
  return at > 0 ? { server: name.slice(0, at), name: name.slice(at + separator.length) } : undefined;
}

function skillPrompt({ id, description }: Skill): JsonObject {
  return {
    name: id,
    title: id,
    description,
    arguments: [{ name: "args", description: "What the skill is to be used for.", required: false }],
  };
}

function upstreamPrompt({ server, name, ...rest }: UpstreamPrompt): JsonObject {
  return { ...(rest as JsonObject), name: `${server}${separator}${name}` };
}
