/** What the store contracts put into stores. Imported by processes that run no tests. */
import type { Grant, GrantQuery } from "../../src/core/call/approval.ts";
import type { AcceptedPin } from "../../src/core/ports/pins.ts";
import type { LedgerIntent, LedgerRecord } from "../../src/core/ports/ports.ts";
import type { TokenRecord } from "../../src/core/ports/tokens.ts";

export const intent = (callId: string): LedgerIntent => ({
  callId,
  at: 1,
  tool: "x.run",
  permission: "write",
  caller: "agent",
  sessionId: "s",
  input: { n: 1 },
  approval: undefined,
});
export const record = (callId: string, more: Partial<LedgerRecord> = {}): LedgerRecord => ({
  callId,
  at: 1,
  durationMs: 2,
  surface: "library",
  kind: "call",
  caller: "agent",
  sessionId: "s",
  toolUseId: undefined,
  cwd: "/work",
  mode: "act",
  askedFor: "x_run",
  tool: "x.run",
  input: { n: 1 },
  verdict: "allow",
  ok: true,
  code: undefined,
  stage: undefined,
  message: undefined,
  rule: undefined,
  approval: undefined,
  result: "done",
  ...more,
});

export const tokenRecord = (name: string): TokenRecord => ({
  name,
  rights: ["call"],
  capabilities: ["*"],
  sha256: "0".repeat(64),
  createdAt: "2026-01-01T00:00:00.000Z",
});

export const acceptedPin = (name: string): AcceptedPin => ({
  name,
  digest: `digest of ${name}`,
  definition: { name, description: "d" },
  at: 1,
  by: "person",
});

/** A grant for everywhere, and the question that finds it. */
export const userGrant = (more: Partial<Grant> = {}): Grant => ({
  id: "g",
  scope: "user",
  caller: "agent",
  sessionId: undefined,
  project: undefined,
  toolId: "x.run",
  definitionHash: "def",
  inputHash: "in",
  meaningHash: "here",
  by: "ann",
  createdAt: 0,
  expiresAt: undefined,
  ...more,
});
export const grantQuery = (more: Partial<GrantQuery> = {}): GrantQuery => ({
  caller: "agent",
  toolId: "x.run",
  definitionHash: "def",
  sessionId: "s",
  project: "/workspace",
  inputHash: () => "in",
  meaningHashes: () => ["here", "anywhere", "tool"],
  exactOnly: false,
  now: 10,
  ...more,
});
