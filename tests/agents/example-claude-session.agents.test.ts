/** Example 14 with the real Claude Agent SDK: without it, the example only says how to install it. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentSdk } from "./agent-sdk.ts";
import { runProcess } from "./run-process.ts";
import { client, createWorkbench, root } from "./workbench.ts";

describe.skipIf(client === undefined || agentSdk.find() === undefined)("example 14", () => {
  it("runs a session that is denied, asked about and gone on with", async () => {
    const bench = createWorkbench();
    const env = {
      ...bench.env,
      CLAUDE_SDK_FOLDER: agentSdk.folder,
      CLAUDE_EXECUTABLE: client ?? "",
    };
    const file = join(root, "examples/14-claude-session/main.ts");
    const { code, stdout, stderr } = await runProcess(process.execPath, [file], { cwd: bench.project, env });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.replaceAll(/agent:s-[\w-]+/g, "agent:s-1").split("\n")).toEqual([
      "user: Do what todo.txt says.",
      "assistant: I look.",
      "fs.read: done",
      "fs.write: policy_denied",
      "asked: fs.write by agent:s-1",
      "fs.write: done",
      "assistant: The greeting is in hello.txt.",
      "user: Thank you.",
      "assistant: You are welcome.",
      "",
    ]);
  });
});
