/** Hooks look at a call before and after it runs; limits hold back a flood. Time stands still until we move it. */
import assert from "node:assert/strict";
import { defineTool, type Hook } from "toolgate";
import { createTestGate } from "toolgate/testing";
import { z } from "zod";

const search = defineTool({
  id: "tickets.search",
  description: "Finds support tickets.",
  permission: "read",
  input: z.object({ query: z.string(), tenant: z.string().optional() }),
  run: ({ query, tenant }) => `tickets about ${query} of ${tenant ?? "everybody"}`,
});

const seen: string[] = [];
const hooks: Hook[] = [
  {
    // A changed input is routed and validated again, and the hooks before this one see it too.
    name: "own-tenant-only",
    type: "PreToolUse",
    toolPatterns: "tickets.*",
    run: ({ preToolUse }) => ({ modifiedParams: { ...Object(preToolUse.parameters), tenant: "acme" } }),
  },
  {
    name: "no-card-numbers",
    type: "PreToolUse",
    toolPatterns: "tickets.*",
    run: ({ preToolUse }) =>
      /\d{16}/.test(JSON.stringify(preToolUse.parameters))
        ? {
            cancel: true,
            errorMessage: "Card numbers must not leave the conversation; search by ticket number.",
          }
        : undefined,
  },
  {
    // Text alone is context: it comes back with the outcome, for the conversation.
    name: "remind",
    type: "PostToolUse",
    toolPatterns: "tickets.*",
    run: ({ postToolUse }) => {
      seen.push(postToolUse.toolName);
      return "Quote ticket numbers in the answer.";
    },
  },
];

const { gate, clock } = await createTestGate({
  tools: [search],
  hooks,
  limits: [{ name: "three-a-minute", tools: "tickets.*", per: "session", max: 3, windowMs: 60_000 }],
});
const ask = (query: string) =>
  gate.dispatch({ tool: "tickets.search", input: { query }, sessionId: "monday" });

const first = await ask("refunds");
assert.ok(first.ok);
console.log(`1. ${first.value}`);
console.log(`   for the conversation: ${first.contexts.join(" ")}`);
assert.equal(first.value, "tickets about refunds of acme");
assert.deepEqual(first.contexts, ["Quote ticket numbers in the answer."]);

const cancelled = await ask("4111111111111111");
assert.ok(!cancelled.ok);
console.log(`2. ${cancelled.error.code} by hook "${cancelled.error.rule?.name}": ${cancelled.error.message}`);
assert.equal(cancelled.error.code, "hook_cancelled");
assert.equal(seen.length, 1);

// Refused calls do not count. Two more go through, the fourth has to wait, and is told how long.
await clock.advance(15_000);
assert.ok((await ask("invoices")).ok);
assert.ok((await ask("passwords")).ok);
const limited = await ask("anything");
assert.ok(!limited.ok);
console.log(`3. ${limited.error.code}: ${limited.error.message}`);
assert.equal(limited.error.code, "rate_limited");
assert.equal(limited.error.retryAfterMs, 45_000);

await clock.advance(45_000);
assert.ok((await ask("anything")).ok);
console.log("4. after 45 seconds it goes through");

// A hook that breaks has not agreed: the call stops, unless the hook says `failMode: "open"`.
await gate.setRules({
  hooks: [
    {
      name: "broken",
      type: "PreToolUse",
      run: () => {
        throw new Error("its service is down");
      },
    },
  ],
});
const closed = await ask("refunds");
assert.ok(!closed.ok);
console.log(`5. ${closed.error.code}: ${closed.error.message}`);
assert.equal(closed.error.code, "hook_failed");

await gate.close();
