import { describe, expect, it } from "vitest";
import { ChatContext } from "../../../../../src/sessions/runners/chat/chat-context.ts";
import { openaiChat } from "../../../../../src/sessions/runners/chat/openai-chat.ts";

const words = (count: number) => "word ".repeat(count);

function turn(context: ChatContext, name: string, resultWords: number): void {
  context.add({ role: "user", text: `ask ${name}` });
  const call = { id: name, name: "read", input: {} };
  context.add({ role: "assistant", blocks: [{ type: "call", call }] });
  context.add({
    role: "results",
    results: [{ id: name, content: [{ type: "text", text: words(resultWords) }], isError: false }],
  });
  context.add({ role: "assistant", blocks: [{ type: "text", text: `answer ${name} ${words(100)}` }] });
}

const sent = (context: ChatContext) => context.written.map(({ json }) => json).join("\n");

describe("a conversation that grows too long", () => {
  it("is left alone while it fits", () => {
    const context = new ChatContext(openaiChat, true);
    turn(context, "one", 500);
    expect(context.trim(2_000)).toBeUndefined();
  });

  it("loses old results first, and keeps every call with an answer", () => {
    const context = new ChatContext(openaiChat, true);
    for (const name of ["one", "two", "three"]) turn(context, name, 1_000);
    expect(context.trim(2_500)).toMatch(/no longer sent 2 old tool results \(about [\d,]+ tokens\)/);
    expect(context.tokens).toBeLessThan(2_500);
    expect(sent(context).match(/"tool_call_id"/g)).toHaveLength(3);
    expect(sent(context).match(/left out to save room/g)).toHaveLength(2);
  });

  it("loses its oldest turns where that is not enough, and never the last", () => {
    const context = new ChatContext(openaiChat, true);
    for (const name of ["one", "two", "three"]) turn(context, name, 10);
    context.add({ role: "user", text: "and now?" });
    expect(context.trim(300)).toMatch(/no longer sent .*oldest turns/);
    expect(sent(context)).not.toContain("ask one");
    expect(sent(context)).toContain("What was said before was left out");
    expect(sent(context)).toContain("and now?");
    expect(sent(context).match(/"tool_call_id"/g)?.length ?? 0).toBe(
      sent(context).match(/"tool_calls"/g)?.length ?? 0,
    );
  });
});
