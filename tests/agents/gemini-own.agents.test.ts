/** What only Gemini CLI does: paths and addresses that mean something else than they say, and its ways to leave hooks out. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { geminiSetup } from "../../src/agents/gemini/setup.ts";
import { createScriptedModel } from "../../src/testing/index.ts";
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

  it("asks no hook when an editor has started it: the hole that its abilities tell of", async () => {
    const bench = createAgentBench(gemini, onEndOfTest());
    bench.writeRules(rules);
    await gemini.configure(bench, { modelUrl: "http://127.0.0.1:9", mcpServers: {} });
    await installHook(gemini, bench);
    await using model = await createScriptedModel({
      script: ({ messages }) =>
        messages.some(({ toolResults }) => toolResults.length > 0)
          ? "Done."
          : shell("touch ran.txt forbidden-shell"),
    });
    const [file = ""] = gemini.command("", { modelUrl: model.url, mcpServers: {} }).args;
    await using editor = startEditor([file, "--acp", "--approval-mode", "yolo", "-m", "gemini-2.5-flash"], {
      cwd: bench.project,
      env: { ...bench.env, GOOGLE_GEMINI_BASE_URL: model.url },
    });
    await editor.ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await editor.ask("session/new", { cwd: bench.project, mcpServers: [] });
    await editor.ask("session/prompt", { sessionId, prompt: [{ type: "text", text: "Do it." }] });
    expect(bench.has("project/ran.txt")).toBe(true);
    const { abilities } = geminiSetup;
    expect(abilities.holes.join()).toContain("--acp");
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

/** The part of the editors' protocol that starts a session and gives it something to do. */
function startEditor(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
) {
  const child = spawn(process.execPath, args, { ...options, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!line.startsWith("{")) return;
    const { id, result } = JSON.parse(line) as { id?: number; result?: Record<string, unknown> };
    if (id !== undefined && result !== undefined) waiting.get(id)?.(result);
  });
  let last = 0;
  return {
    ask(method: string, params: object) {
      const id = ++last;
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      return new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
    },
  };
}

function onEndOfTest() {
  return (cleanUp: () => void | Promise<void>) => void onTestFinished(cleanUp);
}
