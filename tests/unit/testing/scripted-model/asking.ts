/** Scripted models that close with their test, and what a client makes of their answers. */
import { expect, onTestFinished } from "vitest";
import {
  createScriptedModel,
  type Script,
  type ScriptedModel,
  type ScriptedModelOptions,
} from "../../../../src/testing/index.ts";

export async function start(given: Script | ScriptedModelOptions): Promise<ScriptedModel> {
  const isScript = typeof given === "function" || Array.isArray(given);
  const model = await createScriptedModel(isScript ? { script: given } : (given as ScriptedModelOptions));
  onTestFinished(() => model.close());
  return model;
}

/** Text as it is, anything else as JSON. */
export function post({ url }: ScriptedModel, path: string, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json", "x-api-key": "dummy" };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(url + path, { method: "POST", headers, body: text });
}

/** The data of a stream. `isNamed`: each event has the name of the type in its data. */
export async function readEvents<Event>(response: Response, isNamed = true): Promise<Event[]> {
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const blocks = (await response.text()).trim().split("\n\n");
  return blocks.map((block) => {
    const lines = block.split("\n");
    const event = JSON.parse((lines.at(-1) ?? "").replace(/^data: /, "")) as Event & { type?: string };
    expect(lines.slice(0, -1)).toEqual(isNamed ? [`event: ${event.type}`] : []);
    return event;
  });
}

/** Without what comes several times in a row. */
export const inTurn = (types: readonly string[]) => types.filter((type, at) => type !== types[at - 1]);
