/** browser_action: the one tool by which some agents use a browser. It becomes a call of the tool it means. */
import { failed } from "../../../core/call/tool-answer.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import type { AnyTool } from "../../../core/tool/tool.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed } from "../input-fields.ts";

const actions = [
  ...["launch", "click", "type", "press", "scroll_down", "scroll_up", "read", "screenshot", "close"],
] as const;

const base = defineBuiltin("browser.action", {
  title: "Use the browser",
  description:
    "Does one thing in the browser of this session and answers with a picture: launch (url), click (coordinate), type (text), press (a key as text), " +
    "scroll_down, scroll_up, read, screenshot, close. It is the same as calling browser.open, browser.click and so on: the same rules decide.",
  input: closed(["action"], {
    action: { type: "string", enum: actions, description: "What to do." },
    url: { type: "string", description: "For launch: the full address." },
    coordinate: { type: "string", description: 'For click: the place as "x,y".' },
    text: { type: "string", description: "For type and press." },
  }),
  // What it does is what its target does: a client must not take it for harmless.
  annotations: { readOnlyHint: false, openWorldHint: true },
  lock: "none",
  // Never reached through a gate: a call is handed on before it could run.
  run: () => failed("browser.action only hands calls on; it does nothing by itself."),
});

export const action: AnyTool = Object.freeze({ ...base, delegate: targetOf });

/** For the tools that an action leads to which nobody knows. */
export function withoutAction(input: JsonObject): JsonObject | string {
  const known = `action must be one of ${actions.join(", ")}`;
  return Object.hasOwn(input, "action") ? known : input;
}

/** Which tool each action means, and which of the fields it takes. */
const meanings: Readonly<Record<string, (input: JsonObject) => [tool: string, input: JsonObject]>> = {
  launch: ({ url }) => ["browser.open", { url: url ?? null, screenshot: true }],
  click: ({ coordinate }) => ["browser.click", { coordinate: coordinate ?? null, screenshot: true }],
  type: ({ text }) => ["browser.type", { text: text ?? null, screenshot: true }],
  press: ({ text }) => ["browser.type", { key: text ?? null, screenshot: true }],
  scroll_down: () => ["browser.scroll", { direction: "down", screenshot: true }],
  scroll_up: () => ["browser.scroll", { direction: "up", screenshot: true }],
  read: () => ["browser.read", {}],
  screenshot: () => ["browser.screenshot", {}],
  close: () => ["browser.close", {}],
};

/** An agent may have actions of its own: to rules they are clicks. Ours says which ones it has. */
function targetOf(given: Json): { readonly tool: string; readonly input: Json } {
  const asked = isJsonObject(given) ? given : {};
  const { action: wanted, url } = asked;
  const meaning =
    typeof wanted === "string" && Object.hasOwn(meanings, wanted) ? meanings[wanted] : undefined;
  const [tool, input] = meaning?.(asked) ?? [
    url === undefined ? "browser.click" : "browser.open",
    { ...(url !== undefined && { url }), action: wanted ?? null },
  ];
  return { tool, input };
}
