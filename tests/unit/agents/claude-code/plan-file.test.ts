import { describe, expect, it } from "vitest";
import type { HookInput } from "../../../../src/agents/agent-hook.ts";
import { writesPlanFile } from "../../../../src/agents/claude-code/planning.ts";

function writing(file_path: string, tool = "Write"): HookInput {
  return { event: "PreToolUse", tool, input: { file_path, content: "x" }, mode: "plan", cwd: "/work" };
}

describe("the plan file of plan mode", () => {
  it.each(["Write", "Edit"])("may be written by %s in the client's folder for plans", (tool) => {
    expect(writesPlanFile(writing("/home/ann/.claude/plans/blue-fox.md", tool), "/home/ann/.claude")).toBe(
      true,
    );
  });

  it.each([
    "/home/ann/.claude/settings.json",
    "/home/ann/.claude/plans/../settings.md",
    "/home/ann/.claude/plans.md",
    "/home/ann/.claude/plans-of-others/a.md",
    "/home/ann/.claude/plans/run.sh",
    "plans/a.md",
    "/work/README.md",
  ])("is not %s", (file) => {
    expect(writesPlanFile(writing(file), "/home/ann/.claude")).toBe(false);
  });

  it("is written, not run", () => {
    expect(writesPlanFile(writing("/home/ann/.claude/plans/a.md", "Bash"), "/home/ann/.claude")).toBe(false);
  });
});
