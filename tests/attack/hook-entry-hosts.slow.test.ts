/** The installed entry stands in a file that other programs read, too. Whatever they make of it, nothing of a call ever runs as code. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { installClaudeCode } from "../../src/agents/claude-code/set-up/install.ts";
import { type Entry, hosts, runAs } from "./entry-hosts.ts";

const built = fileURLToPath(new URL("../../dist/hook", import.meta.url));

const rules =
  'routes:\n  no-push:\n    tool: Bash\n    pattern: "git push"\n    message: "The gate is here."\n';

/** As JSON a forbidden call; as a script for a shell, for Perl or Python, something that leaves a file behind. */
function payload(owned: string): string {
  const code = `$(touch ${owned})\`touch ${owned}\`; touch ${owned}; #`;
  return JSON.stringify(
    {
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: `git push ${code}`, description: `\ntouch ${owned}\n` },
      [`x"; touch ${owned}; "`]: code,
    },
    null,
    1,
  );
}

interface World {
  readonly base: string;
  readonly owned: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  install(options?: { scope?: "user" | "project" | "local"; withoutScript?: boolean }): Entry;
  wasRun(): boolean;
}

/** Home, project and toolgate itself lie below a folder of that name. */
function createWorld(name = "plain"): World {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-entry-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const owned = join(base, "owned");
  const odd = join(base, name);
  const [home, project, folder] = [join(odd, "home"), join(odd, "project"), join(odd, "toolgate/dist/hook")];
  for (const path of [join(home, ".config/toolgate"), join(project, ".git")])
    mkdirSync(path, { recursive: true });
  writeFileSync(join(home, ".config/toolgate/config.yaml"), rules);
  cpSync(built, folder, { recursive: true });
  // Another name for the same node, in the same odd place.
  const node = join(odd, "node");
  symlinkSync(process.execPath, node);
  const env = {
    HOME: home,
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    CLAUDE_PROJECT_DIR: project,
  };
  return {
    base,
    owned,
    project,
    env,
    folder,
    install({ scope = "user", withoutScript = false } = {}) {
      const bundle = join(folder, "hook.cjs");
      const request = { home, env: {}, projectDir: project, managedDir: join(base, "etc") };
      const result = installClaudeCode({ ...request, scope, bundle, execPath: node, withoutScript });
      if (!result.ok) throw new Error(result.message);
      return JSON.parse(readFileSync(result.files[0]?.file ?? "", "utf8")).hooks.PreToolUse[0].hooks[0];
    },
    wasRun: () => existsSync(owned),
  };
}

const oddNames = [
  "plain",
  "two words",
  'it\'s "quoted"',
  "$(touch owned)`touch owned`",
  "; touch owned; &|<>",
  `$HOME $\{PATH} %PATH% !x`,
  "*?[a]{b,c}~#=^",
  "back\\slash\\ ",
  "Größe 日本語 😀\u00a0\u3000x",
  "-n --help",
];

describe("the installed entry", () => {
  it("has no args, and starts an executable of ours", () => {
    const world = createWorld();
    for (const options of [{}, { withoutScript: true }, { scope: "project" }, { scope: "local" }] as const) {
      const entry = world.install(options);
      expect(entry).not.toHaveProperty("args");
      expect(entry.command).toMatch(/^\S+\/hook\.(sh|cjs) claude-code .*\|\| exit 2$/);
    }
    for (const [group] of Object.values<{ hooks: Entry[] }[]>(
      JSON.parse(readFileSync(join(built, "hooks/hooks.json"), "utf8")).hooks,
    )) {
      expect(group?.hooks[0]).not.toHaveProperty("args");
      expect(group?.hooks[0]?.command).toMatch(
        /^"\$CLAUDE_PLUGIN_ROOT"\/hook\.sh claude-code node (?:after:|task:)?\d+/,
      );
    }
  });

  it.for(oddNames)(
    "runs nothing of the payload in any host, and is a gate wherever a shell reads it: %s",
    async (name) => {
      const world = createWorld(name);
      const entries = [world.install(), world.install({ scope: "project" })];
      const runs = entries.flatMap((entry) =>
        hosts.map(async (host) => {
          const { code, err } = await runAs(host, entry, payload(world.owned), {
            cwd: world.project,
            env: world.env,
          });
          const where = `${host.name}: ${entry.command}\n${err}`;
          if (host.isShell) {
            expect(code, where).toBe(2);
            expect(err, where).toContain("The gate is here.");
          } else expect([2, undefined], where).toContain(code);
        }),
      );
      await Promise.all(runs);
      expect(world.wasRun()).toBe(false);
      expect(existsSync(join(world.project, "owned"))).toBe(false);
    },
  );

  it("is a gate in hosts without a shell, too, where its path has no special characters", async () => {
    const world = createWorld();
    const entry = world.install();
    for (const host of hosts.filter(({ name }) => name !== "takes the line for a program's name")) {
      const end = await runAs(host, entry, payload(world.owned), { cwd: world.project, env: world.env });
      expect([end.code, end.err], host.name).toEqual([2, expect.stringContaining("The gate is here.")]);
    }
  });

  it("of the plugin does the same", async () => {
    const world = createWorld("the plugin's $(touch owned) place");
    const root = join(world.base, "the plugin's $(touch owned) place", "plugin");
    cpSync(built, root, { recursive: true });
    const hooks = JSON.parse(readFileSync(join(built, "hooks/hooks.json"), "utf8")).hooks;
    const entry: Entry = hooks.PreToolUse[0].hooks[0];
    for (const host of hosts) {
      const env = { ...world.env, CLAUDE_PLUGIN_ROOT: root };
      const end = await runAs(host, entry, payload(world.owned), { cwd: world.project, env });
      if (host.isShell)
        expect([end.code, end.err]).toEqual([2, expect.stringContaining("The gate is here.")]);
      else expect([2, undefined], host.name).toContain(end.code);
      // A program that reads the file and does not know the variable.
      const lost = await runAs(host, entry, payload(world.owned), { cwd: world.project, env: world.env });
      expect([2, undefined], host.name).toContain(lost.code);
    }
    expect(world.wasRun()).toBe(false);
  });
});

describe("an entry whose hook cannot answer", () => {
  const shells = hosts.filter(({ isShell }) => isShell);

  it.for<readonly [string, (world: World) => void]>([
    ["is gone", ({ folder }) => rmSync(folder, { recursive: true })],
    [
      "was renamed",
      ({ folder }) =>
        cpSync(folder, `${folder}-2`, { recursive: true }) ?? rmSync(folder, { recursive: true }),
    ],
    ["may not be executed", ({ folder }) => chmodSync(join(folder, "hook.sh"), 0o644)],
    ["is a folder", ({ folder }) => rmSync(join(folder, "hook.sh")) ?? mkdirSync(join(folder, "hook.sh"))],
    ["has lost its other half", ({ folder }) => rmSync(join(folder, "hook.cjs"))],
    ["has no node", ({ folder }) => rmSync(join(folder, "../../../node"))],
    [
      "is killed",
      ({ folder }) => writeFileSync(join(folder, "hook.cjs"), 'process.kill(process.pid, "SIGKILL")'),
    ],
    ["crashes", ({ folder }) => writeFileSync(join(folder, "hook.cjs"), "process.exit(1)")],
    ["is cut off", ({ folder }) => writeFileSync(join(folder, "hook.sh"), "#!/bin/bash -p\nif [[ x")],
    ["has another interpreter", ({ folder }) => writeFileSync(join(folder, "hook.sh"), "#!/gone/bash\n")],
  ])(
    "because it %s is a denial in every host with a shell, also one without onFailure",
    async ([, damage]) => {
      const world = createWorld("two words");
      const entry = world.install();
      damage(world);
      for (const host of shells) {
        const { code } = await runAs(host, entry, payload(world.owned), {
          cwd: world.project,
          env: world.env,
        });
        expect(code, host.name).toBe(2);
      }
      expect(world.wasRun()).toBe(false);
    },
  );
});

describe("these tests would have seen", () => {
  const ignoringArgs = hosts.filter(({ isShell }) => isShell);

  it.for<readonly [string, (world: World) => Entry]>([
    [
      "the old form",
      ({ folder }) => ({
        command: "/bin/bash",
        args: ["-p", join(folder, "hook.sh"), "claude-code", "node", "300"],
      }),
    ],
    ["a line that starts with a shell and no script", () => ({ command: "/bin/sh" })],
    [
      "a line that leaves its standard input to a shell",
      ({ folder }) => ({ command: `bash; ${join(folder, "hook.sh")}` }),
    ],
  ])("%s: there the payload runs", async ([, entryOf]) => {
    const world = createWorld();
    for (const host of ignoringArgs) {
      await runAs(host, entryOf(world), payload(world.owned), { cwd: world.project, env: world.env });
      expect(world.wasRun(), host.name).toBe(true);
      rmSync(world.owned);
    }
  });

  it("a path that is put in without its backslashes: there a folder's name runs, or the gate is gone", async () => {
    const world = createWorld("x;touch owned;");
    const { command } = world.install();
    const [shell] = ignoringArgs;
    if (shell === undefined) throw new Error("There is no shell.");
    await runAs(shell, { command: command.replaceAll("\\", "") }, payload(world.owned), {
      cwd: world.project,
      env: world.env,
    });
    expect(existsSync(join(world.project, "owned"))).toBe(true);
  });
});
