/** What stays of a call: one line when it was decided, one when it ended, and no secret in either. */
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { filesBelow } from "./real/agent-bench.ts";
import { bash, describeClaudeCode, runSession } from "./session.ts";
import { createWorkbench, type Workbench } from "./workbench.ts";

const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

describeClaudeCode("the record of a session", () => {
  it("holds each call's decision and its end, and none of its secrets", async () => {
    const bench = createWorkbench();
    bench.writeRules(`
routes:
  no-touch: { tool: Bash, pattern: "^touch", message: "Not like this." }
`);
    const linesOf = (id: string) => spoolLines(bench).filter(({ toolUseId }) => toolUseId === id);
    await runSession(
      bench,
      [
        [
          bash(`true > ran.txt; echo Authorization: ${secret}`, "toolu_ran"),
          bash(`ls /nowhere-at-all/${secret}`, "toolu_failed"),
          bash(`touch ${secret}`, "toolu_blocked"),
        ],
        // The client ends hooks in the background together with the session; a real model takes longer than they do.
        async () => {
          await expect.poll(() => linesOf("toolu_ran").length, { timeout: 20_000 }).toBe(2);
          await expect.poll(() => linesOf("toolu_failed").length, { timeout: 20_000 }).toBe(2);
          return "Done.";
        },
      ],
      { allow: ["Bash"] },
    );
    expect(bench.has("project/ran.txt")).toBe(true);
    expect(linesOf("toolu_ran")).toMatchObject([
      { event: "check", agent: "claude-code", askedFor: "Bash", verdict: "abstain" },
      { event: "end", ok: true },
    ]);
    expect(linesOf("toolu_failed")).toMatchObject([
      { event: "check", verdict: "abstain" },
      { event: "end", ok: false },
    ]);
    expect(linesOf("toolu_blocked")).toMatchObject([
      { event: "check", verdict: "deny", rule: { name: "no-touch" } },
    ]);
    expect(everythingIn(bench.path(".local"))).toContain("toolu_ran");
    expect(everythingIn(bench.path(".local"))).not.toContain(secret);
    expect(everythingIn(bench.path(".cache"))).not.toContain(secret);
  });
});

function spoolLines(bench: Workbench): { readonly toolUseId?: string }[] {
  return everythingIn(bench.path(".local/state/toolgate/spool"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

function everythingIn(folder: string): string {
  return existsSync(folder) ? [...filesBelow(folder, () => false).values()].join("") : "";
}
