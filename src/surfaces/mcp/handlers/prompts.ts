/** Prompts: skills, and those of upstream servers as `server__prompt`, all fetched through the gate. */
import { textOf } from "../../../core/call/content.ts";
import type { Stop } from "../../../core/call/errors.ts";
import type { Failure } from "../../../core/call/outcome.ts";
import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import type { UpstreamPrompt } from "../../../core/ports/upstream.ts";
import { shownName } from "../../../core/text/visible.ts";
import type { RpcError } from "../../../mcp/messages.ts";
import type { Answer } from "../../../mcp/peer.ts";
import { type Exchange, objectParam, optionalText, textParam, wrongParams } from "../exchange.ts";
import type { ServerContext, Walk } from "../server-context.ts";
import { dispatch, refused } from "./call-tool.ts";

export interface Skill {
  readonly id: string;
  readonly description: string;
}

const separator = "__";

export async function listPrompts(exchange: Exchange, server: ServerContext): Promise<JsonObject> {
  const { params, signal } = exchange.request;
  const cursor = optionalText(params, "cursor");
  const own = cursor === undefined ? (await server.skills(exchange, signal)).map(skillPrompt) : [];
  const upstreams = server.upstreamsFor(exchange, "mcp.prompt_get");
  const page = await upstreams?.listPrompts({ cursor }, { signal });
  return {
    prompts: [...own, ...(page?.prompts ?? []).map(upstreamPrompt)],
    ...(page?.nextCursor !== undefined && { nextCursor: page.nextCursor }),
  };
}

export function getPrompt(exchange: Exchange, server: ServerContext): Promise<Answer> {
  return server.walk(exchange, async (walk) =>
    server.stamps.result(exchange.era, await getWith(walk, server)),
  );
}

async function getWith(walk: Walk, server: ServerContext): Promise<JsonObject> {
  const { exchange } = walk;
  const { params, signal } = exchange.request;
  const name = textParam(params, "name");
  const args = objectParam(params, "arguments");
  const ofUpstream = splitPromptName(name);
  const outcome =
    ofUpstream === undefined
      ? await dispatch(
          "skill.load",
          { name, ...(typeof args.args === "string" && { args: args.args }) },
          walk,
        )
      : await dispatch("mcp.prompt_get", { ...ofUpstream, arguments: args }, walk);
  if (!outcome.ok)
    throw isMissing(outcome)
      ? noPrompt(name, outcome.error, await server.skills(exchange, signal))
      : refused(outcome.error);
  const { result } = outcome;
  const { structured } = result;
  if (ofUpstream !== undefined && isJsonObject(structured) && Array.isArray(structured.messages))
    return promptOf(structured);
  return { messages: [{ role: "user", content: { type: "text", text: textOf(result) } }] };
}

/** Who asks for a prompt need not know which tool fetches it, and what that one lacks. */
function isMissing({ error, result: { structured } }: Failure): boolean {
  if (error.code === "unknown_tool") return true;
  return isJsonObject(structured) && missingCodes.has(String(structured.code));
}

const missingCodes: ReadonlySet<string> = new Set(["no_skills", "not_found", "no_server"]);
const mostNames = 10;

function noPrompt(name: string, { code }: Stop, skills: readonly Skill[]): RpcError {
  const names = skills.slice(0, mostNames).map(({ id }) => id);
  const left = skills.length - names.length;
  const named = `${names.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
  const instead = names.length === 0 ? "" : ` Prompts here: ${named}.`;
  return wrongParams(`There is no prompt ${shownName(name)}.${instead}`, { code });
}

/** Only what belongs to a prompt: with other fields a server could speak to the client in the gate's name. */
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
