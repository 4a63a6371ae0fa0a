/** What hooks say about a call that has run, as the model of a real session hears it; and how they end a task. */
import { expect, it } from "vitest";
import { serve } from "./serve.ts";
import { describeClaudeCode, refused, bash as run, runSession, type Session } from "./session.ts";
import { createWorkbench, type Workbench } from "./workbench.ts";

/** A hook that looks at the call after it ran. */
function writeHook(bench: Workbench, code: string): void {
  const script = bench.write("look.cjs", code);
  bench.writeRules(
    `hooks:\n  commands:\n    look: { type: PostToolUse, command: [node, ${JSON.stringify(script)}], toolPatterns: Bash }\n`,
  );
}

const remark = `
const { postToolUse: { parameters, success } } = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify({ contextModification: "REMARK on " + parameters.command + (success ? "" : " (failed)") }));
`;

const ending = `
const { postToolUse: { parameters } } = JSON.parse(require("fs").readFileSync(0, "utf8"));
if (parameters.command.includes("poison")) console.log(JSON.stringify({ cancel: true, errorMessage: "POISON was seen." }));
`;

describeClaudeCode("hooks that look at a call after it ran", () => {
  it.for([["with a process for each call"], ["with a server"]] as const)(
    "tell the model what they think of it, %s",
    async ([how]) => {
      const bench = createWorkbench();
      writeHook(bench, remark);
      if (how === "with a server") await serve(bench);
      const session = await runSession(
        bench,
        [run("touch made.txt", "toolu_made"), run("ls /nowhere-at-all", "toolu_failed"), "Done."],
        { allow: ["Bash"] },
      );
      expect(session.result("toolu_made").isError).toBe(false);
      expect(told(session)).toContain("REMARK on touch made.txt");
      expect(told(session)).toContain("REMARK on ls /nowhere-at-all (failed)");
    },
  );

  it("end the task: what follows is refused, until the person says something new", async () => {
    const bench = createWorkbench();
    writeHook(bench, ending);
    const first = await runSession(
      bench,
      [
        [run("touch poison.txt", "toolu_poison"), run("touch after.txt", "toolu_after")],
        run("touch never.txt", "toolu_never"),
        "Done.",
      ],
      { allow: ["Bash"], args: ["--session-id", sessionId] },
    );
    expect(bench.has("project/poison.txt")).toBe(true);
    expect(bench.has("project/after.txt")).toBe(false);
    expect(bench.has("project/never.txt")).toBe(false);
    // The client ends the turn: the model is not asked again.
    expect(first.requests).toHaveLength(1);
    expect(bench.has(`.local/state/toolgate/ended-tasks/local.${sessionId}`)).toBe(true);

    const next = await runSession(bench, [run("touch next.txt", "toolu_next"), "Done."], {
      allow: ["Bash"],
      args: ["--resume", sessionId],
    });
    expect(next.result("toolu_next").isError).toBe(false);
    expect(next.result("toolu_after")).toMatchObject(
      refused('Hook "look" ended the task of this session: POISON was seen.'),
    );
    expect(bench.has("project/next.txt")).toBe(true);
  });
});

const sessionId = "5b7a2f0e-6f7c-4c57-9d59-0d1c6a3b9c11";

function told({ requests }: Session): string {
  return JSON.stringify(requests.at(-1));
}
