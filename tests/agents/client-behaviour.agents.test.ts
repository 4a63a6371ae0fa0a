/** What the client itself does with hooks: the facts that our hook, our plugin and `toolgate doctor` are built on. If one of these changes, read them again. */
import { expect, it } from "vitest";
import { bash, callOnce, describeClaudeCode } from "./session.ts";
import { createWorkbench, type Workbench } from "./workbench.ts";

const makeFile = bash("true > ran.txt");

describeClaudeCode("Claude Code", () => {
  it("refuses a whole plugin whose hooks.json has the old array form, and runs the call ungated", async () => {
    const bench = createWorkbench();
    const plugin = writePlugin(bench, {
      hooks: [{ type: "preToolUse", matcher: { tool_name: "Bash" }, command: "exit 2" }],
    });
    const { session } = await callOnce(bench, makeFile, { plugin, allow: ["Bash"] });
    expect(JSON.stringify(session.pluginErrors)).toContain("Failed to load");
    expect(bench.has("project/ran.txt")).toBe(true);
    expect((await bench.claude(["plugin", "validate", "--strict", plugin])).code).toBe(1);
  });

  it("runs the call after exit 0 with text that is no answer, even with onFailure block", async () => {
    const bench = createWorkbench();
    const plugin = writePlugin(bench, preToolUse(`process.stdout.write('{"hookSpecificOutput":');`));
    await callOnce(bench, makeFile, { plugin, allow: ["Bash"] });
    expect(bench.has("project/ran.txt")).toBe(true);
  });

  it("runs the call when a hook crashes, unless onFailure says block", async () => {
    const bench = createWorkbench();
    const crash = "process.exit(1);";
    await callOnce(bench, makeFile, { plugin: writePlugin(bench, preToolUse(crash)), allow: ["Bash"] });
    expect(bench.has("project/ran.txt")).toBe(false);
    const open = writePlugin(bench, preToolUse(crash, {}));
    await callOnce(bench, makeFile, { plugin: open, allow: ["Bash"] });
    expect(bench.has("project/ran.txt")).toBe(true);
  });

  it("stops the call at exit 2 whatever was printed, and reads the reason from a clean answer", async () => {
    const bench = createWorkbench();
    const answer = `process.stdout.write(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "clean" } }));`;
    const ends = `process.stderr.write("spoiled"); process.exitCode = 2;`;
    const clean = await callOnce(bench, makeFile, { plugin: writePlugin(bench, preToolUse(answer + ends)) });
    expect(clean.text).toBe("PreToolUse:Bash hook error: clean");
    const noisy = writePlugin(bench, preToolUse(`console.log("noise");${answer}${ends}`));
    const spoiled = await callOnce(bench, makeFile, { plugin: noisy, allow: ["Bash"] });
    expect(spoiled.text).toContain("spoiled");
    expect(bench.has("project/ran.txt")).toBe(false);
  });

  it("lets a project switch off every hook of the user and of plugins", async () => {
    const bench = createWorkbench();
    bench.write("project/.claude/settings.json", { disableAllHooks: true });
    const plugin = writePlugin(bench, preToolUse("process.exit(2);"));
    await callOnce(bench, makeFile, { plugin, allow: ["Bash"] });
    expect(bench.has("project/ran.txt")).toBe(true);
  });

  it("hands variables of a project's settings to the hooks, but does not let it move the home", async () => {
    const bench = createWorkbench();
    const away = {
      HOME: "/away",
      XDG_CONFIG_HOME: "/away",
      CLAUDE_PROJECT_DIR: "/away",
      CLAUDE_CONFIG_DIR: "/away",
    };
    const given = { NODE_OPTIONS: "--no-warnings", TOOLGATE_ROUTES: "/given", LD_LIBRARY_PATH: "/given" };
    bench.write("project/.claude/settings.json", { env: { ...away, ...given } });
    const tell = `require("fs").writeFileSync(${JSON.stringify(bench.path("env.json"))}, JSON.stringify(process.env));`;
    await callOnce(bench, makeFile, { plugin: writePlugin(bench, preToolUse(tell)) });
    const seen = JSON.parse(bench.read("env.json")) as Record<string, string>;
    expect(Object.keys(away).filter((name) => seen[name] === "/away")).toEqual([]);
    expect(seen).toMatchObject(given);
  });

  it("ends hooks that run in the background together with the session", async () => {
    const bench = createWorkbench();
    const late = `setTimeout(() => require("fs").writeFileSync(${JSON.stringify(bench.path("late"))}, ""), 2_000);`;
    const hook = { type: "command", command: "node", args: ["-e", late], timeout: 20, async: true };
    const plugin = writePlugin(bench, { hooks: { PostToolUse: [{ hooks: [hook] }] } });
    await callOnce(bench, makeFile, { plugin, allow: ["Bash"] });
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(bench.has("late")).toBe(false);
  });
});

function preToolUse(code: string, more: object = { onFailure: "block" }): object {
  const hook = { type: "command", command: "node", args: ["-e", code], timeout: 20, ...more };
  return { hooks: { PreToolUse: [{ hooks: [hook] }] } };
}

function writePlugin(bench: Workbench, hooks: object): string {
  bench.write("probe/.claude-plugin/plugin.json", {
    name: "probe",
    version: "1.0.0",
    description: "A probe.",
  });
  bench.write("probe/hooks/hooks.json", hooks);
  return bench.path("probe");
}
