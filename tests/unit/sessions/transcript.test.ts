import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/core/input/json.ts";
import type { SessionItem, SessionItemKind } from "../../../src/core/ports/sessions.ts";
import { toTranscript, withTranscript } from "../../../src/sessions/transcript.ts";

const item = (kind: SessionItemKind, body: JsonObject): SessionItem => ({
  kind,
  body,
  turn: 1,
  itemId: "i",
  seq: 1,
  at: 0,
});

describe("the transcript of a session", () => {
  it("has who said what, calls and their results, and no notes or usage", () => {
    const text = toTranscript([
      item("message", { role: "user", text: "Read it." }),
      item("message", { role: "assistant", text: "I do." }),
      item("tool_use", { tool: "fs.read", input: { path: "a" } }),
      item("tool_result", { tool: "fs.read", ok: true, content: [{ type: "text", text: "milk" }] }),
      item("message", { role: "note", text: "left out" }),
      item("usage", { inputTokens: 1, outputTokens: 1 }),
      item("error", { message: "It broke." }),
      item("cancelled", { by: "ann", what: "turn" }),
    ]);
    expect(text.split("\n\n")).toEqual([
      "User: Read it.",
      "Assistant: I do.",
      'Assistant called fs.read: {"path":"a"}',
      "fs.read answered: milk",
      "[The turn failed: It broke.]",
      "[The turn was cancelled]",
    ]);
  });

  it("leaves out the oldest entries, visibly, and shortens long ones", () => {
    const long = "x".repeat(5_000);
    const text = toTranscript(
      ["a", "b", long].map((said) => item("message", { role: "user", text: said })),
      2_040,
    );
    expect(text).toMatch(
      /^\[1 earlier entries are left out\]\n\nUser: b\n\nUser: x{2000} \[5000 characters\]$/,
    );
    expect(withTranscript("", "go")).toBe("go");
  });
});
