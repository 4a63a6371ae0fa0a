/** A loop of one's own with OpenAI's Chat Completions: the gate stands between the model and the tools. */
import assert from "node:assert/strict";
import { createGate, defineTool } from "toolgate";
import { createScriptedModel } from "toolgate/testing";
import { z } from "zod";

const refund = defineTool({
  id: "shop.refund",
  description: "Pays an order back.",
  permission: "write",
  input: z.object({ order: z.string(), cents: z.number().int().positive() }),
  run: ({ order, cents }) => `${order}: paid back ${(cents / 100).toFixed(2)}`,
});
const large = { type: "argument", field: "cents", operator: "greaterThan", value: 5_000 } as const;
const reason = "More than 50 is paid back by a person.";
const gate = await createGate({
  tools: [refund],
  policies: [
    { name: "refunds", tools: "shop.*", action: "approve" },
    { name: "large", tools: "shop.refund", action: "deny", conditions: [large], reason },
  ],
});

// The real endpoint is https://api.openai.com. This one follows a script, and its third call is no JSON.
await using model = await createScriptedModel({
  script: [
    [
      { id: "call_1", tool: "shop_refund", input: { order: "A-1", cents: 1_250 } },
      { id: "call_2", tool: "shop_refund", input: { order: "A-2", cents: 99_000 } },
      { id: "call_3", tool: "shop_refund", input: '{"order": "A-3", "cents": ' },
    ],
    "A-1 is done; A-2 needs a person.",
  ],
});

type Call = { id: string; type: "function"; function: { name: string; arguments: string } };
type Message = { role: string; content: string | null; tool_calls?: Call[] };
const messages: object[] = [{ role: "user", content: "Pay A-1, A-2 and A-3 back." }];
for (;;) {
  const body = JSON.stringify({ model: "gpt", messages, tools: gate.definitions("openai") });
  const response = await fetch(`${model.url}/v1/chat/completions`, { method: "POST", body });
  const { choices } = (await response.json()) as { choices: [{ message: Message }] };
  const { message } = choices[0];
  messages.push(message);
  const results = await gate.dispatchAll(message.tool_calls, { sessionId: "chat-1" });
  if (results.length === 0) break;
  messages.push(...results);
}

const [paid = "", refused = "", broken = ""] = model.toolResults().map(({ text }) => text);
console.log(`call_1: ${paid}\ncall_2: ${refused}\ncall_3: ${broken}`);
assert.equal(paid, "A-1: paid back 12.50");
assert.match(refused, /paid back by a person[\s\S]*policy large/);
assert.match(broken, /The arguments cannot be read/);
assert.deepEqual(messages.at(-1), { role: "assistant", content: "A-1 is done; A-2 needs a person." });
await gate.close();
