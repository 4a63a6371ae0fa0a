import type { Approval } from "toolgate/contract";
import { describe, expect, it } from "vitest";
import { whyNotTogether } from "../src/inbox/choose-many.ts";
import { dangerOf, endOf, inOrder, summaryOf } from "../src/inbox/question.ts";

const approval = (more: Partial<Approval> = {}): Approval => ({
  id: "1",
  callId: "c",
  tool: "fs.write",
  title: "Write a file",
  description: "",
  caller: "agent",
  project: "/p",
  input: { path: "a.txt" },
  redactions: 0,
  inputHash: "h",
  meaning: { paths: [], programs: [] },
  definitionHash: "d",
  reason: "because",
  createdAt: 0,
  expiresAt: 10,
  state: "pending",
  ...more,
});

describe("questions", () => {
  it("stand by session, the nearest deadline first", () => {
    const list = [
      approval({ id: "late", sessionId: "b", expiresAt: 30 }),
      approval({ id: "b-soon", sessionId: "b", expiresAt: 10 }),
      approval({ id: "a", sessionId: "a", expiresAt: 20 }),
    ];
    expect(inOrder(list).map(({ id }) => id)).toEqual(["b-soon", "late", "a"]);
  });

  it("are dangerous where nobody knows better: outside, unknown tools, programs", () => {
    expect(dangerOf(approval(), undefined, undefined)).toBe("high");
    const outside = { paths: [{ path: "/etc/hosts", inside: false }], programs: [] };
    const tool = { permission: "write" } as Parameters<typeof dangerOf>[2];
    expect(dangerOf(approval(), undefined, tool)).toBe("low");
    expect(dangerOf(approval({ meaning: outside }), undefined, tool)).toBe("high");
  });

  it("say in one line what would run", () => {
    expect(summaryOf(approval())).toBe("fs.write a.txt");
    expect(summaryOf(approval({ input: { command: "npm test" } }))).toBe("npm test");
    expect(summaryOf(approval({ input: {} }))).toBe("Write a file");
  });

  it("say why they cannot be answered any more", () => {
    const answer = { decision: "deny", by: "bob", reason: "not now" } as const;
    expect(endOf(approval({ state: "denied", answer }))).toBe("Denied by bob: “not now”.");
    expect(endOf(approval({ state: "expired" }))).toMatch(/^Nobody answered in time/);
    expect(endOf(approval({ state: "withdrawn" }))).toMatch(/^Withdrawn/);
  });

  it("are answered together only of one tool and one rule, and never dangerous ones", () => {
    const rule = { kind: "policy", name: "ask" } as const;
    const chosen = [approval({ rule })];
    expect(whyNotTogether(approval({ rule }), false, chosen)).toBeUndefined();
    expect(whyNotTogether(approval({ rule }), true, [])).toMatch(/one by one/);
    expect(whyNotTogether(approval({ rule, tool: "fs.edit" }), false, chosen)).toMatch(/one tool/);
    expect(whyNotTogether(approval({ rule: { ...rule, name: "x" } }), false, chosen)).toMatch(/one rule/);
  });
});
