/** Example 09 with the real client: the files of its project are all that is needed. */
import { chmodSync, cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { answerNext } from "./gateway.ts";
import { describeClaudeCode, runSession } from "./session.ts";
import { createWorkbench, root } from "./workbench.ts";

const call = (tool: string, input: Record<string, string>, id: string) => ({ tool, input, id });

describeClaudeCode("the project of example 09", () => {
  it("has the gate decide on files and commands, and leaves the client none of its own", async () => {
    const bench = createWorkbench();
    cpSync(join(root, "examples/09-claude-code-mcp/project"), bench.project, { recursive: true });
    bench.write("project/.env", "KEY=secret\n");
    const program = `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(join(root, "dist/cli.js"))} "$@"\n`;
    chmodSync(bench.write("bin/toolgate", program), 0o755);
    expect((await bench.toolgate(["trust", "--yes"])).code).toBe(0);
    // As after the client's own question whether this folder is trusted: before, what its settings allow does not count.
    bench.write(".claude/.claude.json", { projects: { [bench.project]: { hasTrustDialogAccepted: true } } });

    const session = await runSession(
      bench,
      [
        call("mcp__toolgate__fs_read", { path: "src/check.mjs" }, "toolu_read"),
        call("mcp__toolgate__fs_write", { path: "src/note.txt", content: "checked" }, "toolu_write"),
        call("mcp__toolgate__fs_read", { path: ".env" }, "toolu_secret"),
        call("mcp__toolgate__shell_exec", { command: "true && git push" }, "toolu_push"),
        call("Bash", { command: "touch past-the-gate" }, "toolu_own"),
        call("mcp__toolgate__fs_write", { path: "notes.txt", content: "hello" }, "toolu_asked"),
        "Done.",
      ],
      {
        plugin: false,
        args: ["--mcp-config", bench.path("project/.mcp.json"), "--strict-mcp-config"],
        env: { PATH: `${bench.path("bin")}:${bench.env.PATH}` },
        async meanwhile() {
          await answerNext(bench, "approve");
        },
      },
    );
    expect(session.result("toolu_read").text).toContain("All is well");
    expect(bench.read("project/src/note.txt")).toBe("checked");
    expect(session.result("toolu_secret").text).toContain(".env is protected");
    expect(session.result("toolu_push").text).toContain("Publishing is done by a person");
    expect(session.result("toolu_own").isError).toBe(true);
    expect(bench.has("project/past-the-gate")).toBe(false);
    expect(bench.read("project/notes.txt")).toBe("hello");
  });
});
