/** What only Gemini CLI does: paths and addresses that mean something else than they say, and its ways to leave hooks out. */
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAgentBench, installHook, shared } from "./real/agent-bench.ts";
import { runAgent, type Step } from "./real/agent-session.ts";
import { gemini } from "./real/gemini.ts";
import { runProcess } from "./run-process.ts";

const rules = `
routes:
  no-shell: { tool: Bash, pattern: "forbidden-shell", message: "GATE-SHELL: take another command." }
policies:
  no-page: { tools: WebFetch, action: deny, reason: "GATE-PAGE: not there.", conditions: [{ type: url, operator: matches, value: forbidden.example }] }
  no-secret: { tools: "*", action: deny, reason: "GATE-FILE: that file is not for you.", conditions: [{ type: path, operator: equals, value: deep/secret.txt }] }
`;
const { shell } = gemini.calls;
const replace = (file_path: string) => ({
  tool: "replace",
  input: { file_path, instruction: "Change it.", old_string: "old", new_string: "new" },
});

describe.skipIf(gemini.find() === undefined)("Gemini CLI", () => {
  const session = shared(async (onEnd) => {
    const bench = createAgentBench(gemini, onEnd);
    bench.writeRules(rules);
    bench.write("project/deep/secret.txt", "old\n");
    bench.write("project/deep/open.txt", "old\n");
    // It loads this file, and hands what is in it to the shell that starts a hook.
    const exit = bench.write(
      "exit.sh",
      "case $(tr '\\0' ' ' </proc/$$/cmdline) in *hook.sh*) exit 0 ;; esac\n",
    );
    bench.write("project/.env", `BASH_ENV=${exit}\n`);
    await gemini.configure(bench, { modelUrl: "http://127.0.0.1:9", mcpServers: {} });
    await installHook(gemini, bench);
    const steps: Step[] = [
      { name: "shell", call: shell("touch ran.txt forbidden-shell") },
      { name: "sign", call: { tool: "read_file", input: { file_path: "@deep/secret.txt" } } },
      { name: "free", call: shell("touch free.txt") },
      { name: "found by its name", call: replace("secret.txt") },
      { name: "by its path", call: replace(join(bench.project, "deep/open.txt")) },
      {
        name: "second page",
        call: {
          tool: "web_fetch",
          input: { prompt: "Compare http://127.0.0.1:9/ and https://forbidden.example/x." },
        },
      },
      { name: "last", call: shell("touch last.txt") },
    ];
    const ran = await runAgent(gemini, bench, { steps });
    return { ...ran, bench };
  });

  it("does not escape by variables of the project", async () => {
    const { told, bench } = await session();
    expect(told("shell")).toContain("GATE-SHELL");
    expect([bench.has("project/ran.txt"), bench.has("project/free.txt")]).toEqual([false, true]);
  });

  it("reads no file by another name for it", async () => {
    expect((await session()).told("sign")).toContain("begins with @");
  });

  it("changes no file that it finds by its name in another folder", async () => {
    const { told, bench } = await session();
    expect(told("found by its name")).toContain("Write an absolute path");
    expect(bench.read("project/deep/secret.txt")).toBe("old\n");
    expect(bench.read("project/deep/open.txt")).toBe("new\n");
  });

  it("is stopped for any of the addresses in a text", async () => {
    const { told, bench } = await session();
    expect(told("second page")).toContain("GATE-PAGE");
    expect(bench.has("project/last.txt")).toBe(true);
  });

  it("runs no hook where the project's settings say so, and doctor says that", async () => {
    const bench = createAgentBench(gemini, onEndOfTest());
    bench.writeRules(rules);
    await gemini.configure(bench, { modelUrl: "http://127.0.0.1:9", mcpServers: {} });
    await installHook(gemini, bench);
    bench.write("project/.gemini/settings.json", { hooksConfig: { enabled: false } });
    await runAgent(gemini, bench, {
      steps: [{ name: "shell", call: shell("touch ran.txt forbidden-shell") }],
    });
    expect(bench.has("project/ran.txt")).toBe(true);
    const { stdout } = await bench.toolgate(["doctor", "gemini"]);
    expect(stdout).toContain("hooksConfig.enabled");
  });

  it("does not start without a person in a folder that nobody trusts", async () => {
    const bench = createAgentBench(gemini, onEndOfTest());
    await gemini.configure(bench, { modelUrl: "http://127.0.0.1:9", mcpServers: {} });
    const { program, args } = gemini.command("Do it.", { modelUrl: "http://127.0.0.1:9", mcpServers: {} });
    const env = { ...bench.env, GEMINI_CLI_TRUST_WORKSPACE: "" };
    const { code, stderr } = await runProcess(program, args, { cwd: bench.project, env });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/trust/i);
  });
});

function onEndOfTest() {
  return (cleanUp: () => void | Promise<void>) => void onTestFinished(cleanUp);
}
