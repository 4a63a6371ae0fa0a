/** Policies decide by rule, people decide what is left, and the ledger keeps what happened. */
import assert from "node:assert/strict";
import { defineTool, type Outcome } from "toolgate";
import { createTestGate } from "toolgate/testing";
import { z } from "zod";

const deploys: string[] = [];
const deploy = defineTool({
  id: "ops.deploy",
  title: "Deploy",
  description: "Deploys a service.",
  permission: "write",
  input: z.object({ service: z.string(), env: z.enum(["staging", "prod"]), replicas: z.number().int() }),
  run: ({ service, env, replicas }) => {
    deploys.push(`${service} x${replicas} on ${env}`);
    return deploys.at(-1);
  },
});

// The answers a person gives, in order. A real program passes its own `approver`: anything with a name and `ask`.
const { gate, ledger, approver } = await createTestGate({
  tools: [deploy],
  policies: [
    {
      name: "staging-is-free",
      tools: "ops.deploy",
      action: "approve",
      conditions: [{ type: "argument", field: "env", operator: "equals", value: "staging" }],
    },
    {
      name: "prod-asks",
      tools: "ops.*",
      action: "ask",
      conditions: [{ type: "argument", field: "env", operator: "equals", value: "prod" }],
      reason: "Production changes need a person.",
    },
    {
      name: "billing-is-frozen",
      tools: "ops.*",
      action: "deny",
      priority: 10,
      conditions: [{ type: "argument", field: "service", operator: "equals", value: "billing" }],
      reason: "Billing is frozen until the audit ends.",
    },
  ],
  answers: [
    { decision: "deny", reason: "Not before the release notes are out." },
    { decision: "approve", input: { service: "web", env: "prod", replicas: 2 } },
    { decision: "approve", scope: "session" },
  ],
});

function show(step: string, outcome: Outcome): void {
  const end = outcome.ok ? `ok: ${outcome.value}` : `${outcome.error.code}: ${outcome.error.message}`;
  console.log(`${step.padEnd(28)} ${end}`);
}
const call = (service: string, env: string, replicas: number, sessionId = "release") =>
  gate.dispatch({ tool: "ops.deploy", input: { service, env, replicas }, sessionId });

// Rules alone decide these two; nobody is asked.
const staging = await call("web", "staging", 1);
show("a policy approves", staging);
assert.ok(staging.ok);

const frozen = await call("billing", "staging", 1);
show("a policy denies", frozen);
assert.ok(!frozen.ok);
assert.equal(frozen.error.code, "policy_denied");
assert.equal(approver.asked.length, 0);

// A person says no, with a reason that the model reads.
const denied = await call("web", "prod", 9);
show("a person denies", denied);
assert.ok(!denied.ok);
assert.equal(denied.error.code, "approval_denied");
assert.match(denied.error.message, /release notes/);

// A person says yes to something smaller. The edited input passes every rule again; only it runs.
const edited = await call("web", "prod", 9);
show("a person edits and approves", edited);
assert.ok(edited.ok);
assert.equal(edited.value, "web x2 on prod");

// A yes for the session covers the same call again, and nothing else.
show("approved for the session", await call("web", "prod", 3));
show("the same call again", await call("web", "prod", 3));
assert.equal(approver.asked.length, 3);
const [grant] = await gate.grants.list();
assert.equal(grant?.scope, "session");

// Taken back: the next call would ask again.
await gate.grants.revoke(grant.id);
const after = await gate.explain({
  tool: "ops.deploy",
  input: { service: "web", env: "prod", replicas: 3 },
  sessionId: "release",
});
console.log(`${"after revoking the grant".padEnd(28)} ${after.verdict}: ${after.message}`);
assert.equal(after.verdict, "ask");

// One record per call, refused ones too: who, what, which rule, which person.
console.log("\nthe ledger:");
for (const { callId, verdict, code, rule, approval, input } of ledger.records()) {
  const by = approval === undefined ? "" : ` (${approval.kind} by ${approval.by})`;
  console.log(`  ${callId} ${verdict.padEnd(5)} ${rule?.name ?? code}${by} ${JSON.stringify(input)}`);
}
assert.deepEqual(
  ledger.records().map((record) => record.verdict),
  ["allow", "deny", "deny", "allow", "allow", "allow"],
);
assert.deepEqual(deploys, ["web x1 on staging", "web x2 on prod", "web x3 on prod", "web x3 on prod"]);

await gate.close();
