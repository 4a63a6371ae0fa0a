import { describe, expect, it } from "vitest";
import type { ApprovalRequest } from "../../../../src/core/call/approval.ts";
import type { ApprovalRecord } from "../../../../src/open/open-store.ts";
import { describeWaiting } from "../../../../src/surfaces/cli/commands/serve/show-waiting.ts";
import { approvalRequest } from "../../stores/sqlite/approval-request.ts";

const now = 1_000_000;
const io = { env: {}, cwd: "/" };
const waits = (id: string, parts: Partial<ApprovalRequest> = {}): ApprovalRecord =>
  ({
    request: approvalRequest(id, { createdAt: now, expiresAt: now + 90_000, ...parts }),
    redactions: 0,
    state: "pending",
  }) as ApprovalRecord;

describe("what waits, at the bottom of the terminal", () => {
  it("is one line each, the oldest first: id, time left, tool, rule, input", () => {
    const rule = { kind: "policy", name: "ask-before-publishing", tier: "user" } as const;
    const lines = describeWaiting(
      [
        waits("bbbb22223333", {
          createdAt: now + 1,
          toolId: "web.fetch",
          input: { url: "https://a.example/" },
          rule,
        }),
        waits("aaaa1111", { toolId: "mail__send", input: { to: "x" }, rule: undefined }),
      ],
      now,
      io,
    );
    expect(lines.map((line) => line.replaceAll(/ +/g, " "))).toEqual([
      "2 calls wait for an answer:",
      ' aaaa1111 2m left mail__send {"to":"x"}',
      " bbbb2222 2m left web.fetch ask-before-publishing https://a.example/",
      "Answer in another terminal: toolgate approvals approve ID, deny ID; all of it: toolgate approvals show ID",
    ]);
  });

  it("stays the same for a while, so that an id can be copied", () => {
    const waiting = [waits("aaaa1111", { expiresAt: now + 600_000 })];
    expect(describeWaiting(waiting, now + 59_000, io)).toEqual(describeWaiting(waiting, now, io));
    expect(describeWaiting(waiting, now + 61_000, io)).not.toEqual(describeWaiting(waiting, now, io));
    expect(describeWaiting(waiting, now + 580_500, io)[1]).toContain(" 20s left ");
  });

  it("draws nothing that a call brings along", () => {
    const evil = "a\u001b[2Jb\r\nc\u202e\u0007";
    const rule = { kind: "policy", name: evil, tier: "user" } as const;
    for (const input of [{ command: evil }, { [evil]: evil }]) {
      const lines = describeWaiting([waits("aaaa1111", { toolId: evil, input, rule })], now, io);
      expect(lines).toHaveLength(3);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may come out
      expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u007f\u202e]/);
    }
  });

  it("says how many more there are than have room", () => {
    const lines = describeWaiting(
      Array.from({ length: 11 }, (_, index) => waits(`aaaa${index}`)),
      now,
      io,
    );
    expect(lines).toHaveLength(11);
    expect(lines.at(-2)).toContain("and 3 more");
  });
});
