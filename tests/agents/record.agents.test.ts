/** What stays of a call: one line when it was decided, one when it ended, and no secret in either. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeClaudeCode, runSession } from "./session.ts";
import { createWorkbench, type Workbench } from "./workbench.ts";

const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

describeClaudeCode("the record of a session", () => {
  it("holds each call's decision and its end, and none of its secrets", async () => {
    const bench = createWorkbench();
    bench.writeRules(`
routes:
  no-touch: { tool: Bash, pattern: "^touch", message: "Not like this." }
`);
    const run = (command: string, id: string) => ({ tool: "Bash", input: { command }, id });
    const linesOf = (id: string) => spoolLines(bench).filter(({ toolUseId }) => toolUseId === id);
    await runSession(
      bench,
      [
        [
          run(`true > ran.txt; echo Authorization: ${secret}`, "toolu_ran"),
          run(`ls /nowhere-at-all/${secret}`, "toolu_failed"),
          run(`touch ${secret}`, "toolu_blocked"),
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
  if (!existsSync(folder)) return "";
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("");
}
