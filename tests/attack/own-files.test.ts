import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runHook } from "../../src/surfaces/hook/run-hook.ts";

let base: string;
let home: string;
let project: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "own-files-")));
  home = join(base, "home");
  project = join(base, "project");
  mkdirSync(join(home, ".config/toolgate/tools"), { recursive: true });
  mkdirSync(join(home, ".local/state/toolgate"), { recursive: true });
  mkdirSync(project);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

async function check(tool: string, input: object, cwd = project): Promise<string> {
  const call = { hook_event_name: "PreToolUse", tool_name: tool, tool_input: input, cwd, session_id: "s" };
  const env = { HOME: home, PATH: process.env.PATH ?? "" };
  const { exitCode, stdout } = await runHook({ agent: "claude-code", stdin: JSON.stringify(call), env, cwd });
  return exitCode === 2 || stdout.includes('"deny"') ? "denied" : stdout === "" ? "silent" : stdout;
}

/** No policy speaks: the agent's own prompts apply, but not to the files that decide about the agent. */
describe("an agent that its hook checks, without any policy", () => {
  it("cannot write toolgate's configuration, state or plugins with its file tools", async () => {
    for (const file of [
      ".config/toolgate/config.yaml",
      ".config/toolgate/tools/mine.json",
      ".local/state/toolgate/trust.json",
    ]) {
      expect(await check("Write", { file_path: join(home, file), content: "x" }), file).toBe("denied");
      expect(
        await check("Edit", { file_path: join(home, file), old_string: "a", new_string: "b" }),
        file,
      ).toBe("denied");
    }
  });

  it("cannot reach them by a relative path, through a link or from inside their folder", async () => {
    expect(await check("Write", { file_path: "../home/.config/toolgate/config.yaml", content: "" })).toBe(
      "denied",
    );
    symlinkSync(join(home, ".config/toolgate"), join(project, "toolgate-link"));
    expect(await check("Write", { file_path: "toolgate-link/config.yaml", content: "" })).toBe("denied");
    expect(
      await check("Write", { file_path: "config.yaml", content: "" }, join(home, ".config/toolgate")),
    ).toBe("denied");
  });

  it.each([
    "rm -rf HOME/.config/toolgate",
    "rm HOME/.local/state/toolgate/trust.json",
    "cp evil.yaml HOME/.config/toolgate/config.yaml",
    "sudo mv HOME/.config/toolgate /tmp/x",
    "env A=1 tee HOME/.config/toolgate/config.yaml",
    "cd HOME/.config && rm -r toolgate",
  ])("cannot do it by a command: %s", async (command) => {
    expect(await check("Bash", { command: command.replaceAll("HOME", home) })).toBe("denied");
  });

  it.each(["token", "hook.addr", "keys/ledger.pem", "mcp-session.key", "toolgate.sqlite"])(
    "cannot read what would make it a person: %s",
    async (name) => {
      const file = join(home, ".local/state/toolgate", name);
      expect(await check("Read", { file_path: file })).toBe("denied");
      expect(await check("Grep", { pattern: ".", path: join(home, ".local/state/toolgate") })).toBe("denied");
      symlinkSync(join(home, ".local/state/toolgate"), join(project, "toolgate-link"));
      expect(await check("Read", { file_path: `toolgate-link/${name}` })).toBe("denied");
      for (const command of [
        `cat ${file}`,
        `cd ${home}/.local && cat state/toolgate/${name}`,
        `curl -H "Authorization: Bearer $(cat ${file})" http://127.0.0.1:4655/api/approvals`,
        `base64 < ${file}`,
        `cp ${file} copy`,
        `env A=1 head -c 100 toolgate-link/${name}`,
        `grep -r . ${home}/.local/state/toolgate`,
      ])
        expect(await check("Bash", { command }), command).toBe("denied");
    },
  );

  it("cannot read them by a pattern of file names", async () => {
    writeFileSync(join(home, ".local/state/toolgate/token"), "secret");
    for (const glob of ["toolgate/tok*", "*/token", "tool*/t?ken"])
      expect(await check("Bash", { command: `cat ${home}/.local/state/${glob}` }), glob).toBe("denied");
  });

  it("cannot read them by a command that is run in their folder", async () => {
    const inside = join(home, ".local/state/toolgate");
    expect(await check("Bash", { command: "cat token" }, inside)).toBe("denied");
    expect(await check("Bash", { command: "cd /tmp && ls" }, project)).toBe("silent");
  });

  it("gets what the command line tells about the state", async () => {
    for (const command of [
      "toolgate audit export --json",
      "toolgate audit verify",
      "toolgate approvals list",
    ])
      expect(await check("Bash", { command }), command).toBe("silent");
  });

  it("may read the configuration, name it, and write everything else", async () => {
    writeFileSync(join(home, ".config/toolgate/config.yaml"), "routes: {}\n");
    expect(await check("Read", { file_path: join(home, ".config/toolgate/config.yaml") })).toBe("silent");
    expect(await check("Bash", { command: `cat ${home}/.config/toolgate/config.yaml` })).toBe("silent");
    expect(await check("Bash", { command: "npx toolgate list" })).toBe("silent");
    expect(await check("Write", { file_path: "docs/toolgate.md", content: "about toolgate" })).toBe("silent");
  });
});
