import { describe, expect, it } from "vitest";
import type { SessionItem } from "../../../../../src/core/ports/sessions.ts";
import { readHistory } from "../../../../../src/sessions/runners/chat/read-history.ts";

let seq = 0;
const item = (kind: SessionItem["kind"], body: SessionItem["body"]): SessionItem => ({
  ...{ kind, body, turn: 1, at: 0 },
  seq: ++seq,
  itemId: `i${seq}`,
});
const user = (text: string) => item("message", { role: "user", text });
const said = (text: string) => item("message", { role: "assistant", text });
const use = (toolUseId: string) => item("tool_use", { tool: "math.add", toolUseId, input: { a: 1 } });
const result = (toolUseId: string, text: string) =>
  item("tool_result", { tool: "math.add", toolUseId, ok: true, content: [{ type: "text", text }] });

/** `assistant(text a b) results(a=1 b=2)` */
function told(...items: SessionItem[]): string {
  return readHistory(items, (tool) => tool.replace(".", "_"))
    .map((message) => {
      if (message.role === "user") return `user(${message.text})`;
      if (message.role === "results")
        return `results(${message.results.map(({ id, content }) => `${id}=${content.map((one) => (one.type === "text" ? one.text : "")).join("")}`).join(" ")})`;
      return `assistant(${message.blocks.map((block) => (block.type === "call" ? `${block.call.name}:${block.call.id}` : block.type === "text" ? block.text : "")).join(" ")})`;
    })
    .join(" ");
}

describe("a log read as a conversation", () => {
  it("has every call with its result, whatever lies between them", () => {
    const items = [
      user("go"),
      said("I add"),
      use("a"),
      use("b"),
      user("hurry"),
      result("b", "2"),
      result("a", "1"),
      said("done"),
    ];
    expect(told(...items)).toBe(
      "user(go) assistant(I add math_add:a math_add:b) results(a=1 b=2) user(hurry) assistant(done)",
    );
  });

  it("tells messages without text apart", () => {
    expect(told(user("go"), use("a"), result("a", "1"), use("b"), result("b", "2"))).toBe(
      "user(go) assistant(math_add:a) results(a=1) assistant(math_add:b) results(b=2)",
    );
  });

  it("answers a call that was cut off", () => {
    expect(told(user("go"), use("a"), use("b"), result("a", "1"))).toMatch(
      /results\(a=1 b=This call was cut off before it ended\. It may have had an effect/,
    );
  });

  it("leaves out what was not for the model", () => {
    const note = item("message", { role: "note", text: "left out" });
    const usage = item("usage", { inputTokens: 1, outputTokens: 1 });
    expect(told(user("go"), note, said("ok"), usage, item("error", { code: "x", message: "y" }))).toBe(
      "user(go) assistant(ok)",
    );
  });
});
