/** The inputs of other agents' fetch tools in the shape of ours. */
import type { InputShape } from "../../../core/input/input-shapes.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";

/** Gemini writes the address into the prompt. Only one that is alone there is meant without doubt. */
export const addressInPrompt: InputShape = (input) => {
  const { prompt, url, urls, requests } = input;
  if (typeof prompt !== "string" || [url, urls, requests].some((one) => one !== undefined)) return input;
  const found = new Set(
    prompt.match(/\bhttps?:\/\/[^\s<>"'`)\]]+/g)?.map((one) => one.replace(/[.,;:!?]+$/, "")),
  );
  const [only] = found;
  return found.size === 1 && only !== undefined ? { ...input, url: only } : input;
};

/** A prompt says what the model wants from the page; it gets the page and sees for itself. */
export function fromOtherFetches(input: JsonObject): JsonObject | string {
  const { prompt: _prompt, urls, requests, timeout, ...rest } = input;
  const adapted: Record<string, Json> = { ...rest };
  const many = urls ?? (Array.isArray(requests) ? requests.map(urlOf) : requests);
  if (many !== undefined) {
    if (!Array.isArray(many) || many.length !== 1 || rest.url !== undefined)
      return "one address at a time: give it as url, and call again for the next";
    adapted.url = many[0] as Json;
  }
  // Where it is called timeout it is in seconds.
  if (typeof timeout === "number" && rest.timeoutMs === undefined)
    adapted.timeoutMs = Math.round(timeout * 1_000);
  else if (timeout !== undefined && timeout !== null) adapted.timeout = timeout;
  return adapted;
}

function urlOf(request: Json): Json {
  return isJsonObject(request) ? (request.url ?? null) : null;
}
