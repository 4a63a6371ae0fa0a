/** What our plugins and their adapters say to each other: the answer to a call, or to its end. */
import type { JsonObject } from "../../core/input/json.ts";
import type { ResidentAnswer } from "./resident.ts";

export interface PluginAnswer {
  /** Why the call must not run. */
  readonly deny?: string;
  /** The whole new input. */
  readonly input?: JsonObject;
  /** For the model, with the result of the call. */
  readonly context?: string;
  /** The task of the session is over. */
  readonly end?: string;
  /** For the person. */
  readonly notice?: string;
}

/** Whatever is not an answer denies. */
export function readPluginAnswer(answer: ResidentAnswer): PluginAnswer {
  if (!answer.ok) return { deny: answer.reason };
  const { exitCode, stdout, stderr } = answer;
  const said = stdout === "" ? {} : readObject(stdout);
  if (said === undefined) return { deny: "The call could not be checked, so it is denied: no JSON." };
  if (exitCode === 0) return said;
  return { ...said, deny: said.deny ?? (stderr.trim() || "Blocked by toolgate.") };
}

function readObject(text: string): PluginAnswer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The same object with the new fields: agents run the one that they showed to us. */
export function replaceFields(target: Record<string, unknown>, input: JsonObject): void {
  for (const name of Object.keys(target)) if (!Object.hasOwn(input, name)) delete target[name];
  for (const [name, value] of Object.entries(input))
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}
