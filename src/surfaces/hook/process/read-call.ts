/** What an agent sent, and whom to answer: some agents start what stands in another's settings, and speak their own form. */
import type { HookAgent, ReadHookInput } from "../../../agents/agent-hook.ts";
import { findSpeaker } from "../../../agents/all-agents.ts";
import type { Environment } from "../../../config/folders.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import { agentsPlace } from "./find-place.ts";

export interface ReadCall {
  readonly agent: HookAgent;
  readonly read: ReadHookInput;
  /** The agent asks once more, through an entry in its own settings: here nothing is said. */
  readonly isAskedElsewhere: boolean;
}

export async function readCall(named: HookAgent, text: string, env: Environment): Promise<ReadCall> {
  const read = named.read(text, agentsPlace(named, env));
  const isForeign = named.isReadByOthers === true && read.ok && read.input.isForeign === true;
  const other = isForeign ? await findSpeaker(JSON.parse(text) as JsonObject) : undefined;
  if (other === undefined) return { read, agent: speakerOf(named, read), isAskedElsewhere: false };
  const place = agentsPlace(other, env);
  const again = other.read(text, place);
  return {
    read: again,
    agent: speakerOf(other, again),
    isAskedElsewhere: other.isInstalled?.(place) === true,
  };
}

export function notRead(agent: HookAgent, message: string): ReadCall {
  return { agent, read: { ok: false, message }, isAskedElsewhere: false };
}

function speakerOf(agent: HookAgent, read: ReadHookInput): HookAgent {
  return read.ok && read.speaker !== undefined ? { ...agent, ...read.speaker } : agent;
}
