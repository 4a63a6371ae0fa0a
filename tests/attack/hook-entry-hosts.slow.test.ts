/** The installed entry stands in a file that other programs read, too. Whatever they make of it, nothing of a call ever runs as code. */
import { spawn } from "node:child_process";
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
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { installClaudeCode } from "../../src/agents/claude-code/set-up/install.ts";
import { readHookLine } from "../../src/agents/set-up/hook-line.ts";
import { createHookCredentials } from "../../src/surfaces/hook/served/hook-credentials.ts";
import { ended } from "../hook-home.ts";

const built = fileURLToPath(new URL("../../dist/hook", import.meta.url));

const rules =
  'routes:\n  no-push:\n    tool: Bash\n    pattern: "git push"\n    message: "The gate is here."\n';
const gate = [2, expect.stringContaining("The gate is here.")];

interface Entry {
  readonly command: string;
  readonly args?: readonly string[];
}

interface Host {
  readonly name: string;
  /** A real shell reads the line: the entry must be a gate there. */
  readonly isShell: boolean;
  start(entry: Entry): readonly string[];
}

/** Each once: `sh` is one of the others under another name. */
const shells = ["/bin/sh", "/bin/dash", "/bin/bash", "/usr/bin/zsh"]
  .filter(existsSync)
  .filter((shell, index, all) => all.findIndex((one) => realpathSync(one) === realpathSync(shell)) === index);

/** Programs that read the settings, as they were seen or could be written: each makes something else of the same entry. */
const hosts: readonly Host[] = [
  ...shells.map((shell) => ({
    name: `${shell} -c, without args`,
    isShell: true,
    start: ({ command }: Entry) => [shell, "-c", command],
  })),
  {
    name: "bash in POSIX mode",
    isShell: true,
    start: ({ command }) => ["/bin/bash", "--posix", "-c", command],
  },
  { name: "a login shell", isShell: true, start: ({ command }) => ["/bin/bash", "-lc", command] },
  { name: "cuts at blanks, knows no quotes", isShell: false, start: ({ command }) => command.split(/\s+/) },
  { name: "cuts at single blanks", isShell: false, start: ({ command }) => command.split(" ") },
  { name: "reads quotes, has no shell", isShell: false, start: ({ command }) => readHookLine(command) ?? [] },
  {
    name: "takes the first word alone",
    isShell: false,
    start: ({ command }) => command.split(" ").slice(0, 1),
  },
  { name: "takes the line for a program's name", isShell: false, start: ({ command }) => [command] },
  {
    name: "takes away quotes and backslashes, then cuts",
    isShell: false,
    start: ({ command }) => command.replace(/['"\\]/g, "").split(" "),
  },
];

const shellHosts = hosts.filter(({ isShell }) => isShell);

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
  readonly project: string;
  readonly state: string;
  readonly folder: string;
  install(options?: { scope?: "user" | "project" | "local"; withoutScript?: boolean }): Entry;
  /**
   * What a host makes of the entry: the exit code (undefined: nothing was started) and what was said. No host here ever ends what it
   * started: `timeout` is ignored by all of them.
   */
  run(
    host: Host,
    entry: Entry,
    more?: { env?: Record<string, string>; keepOpen?: boolean },
  ): Promise<unknown[]>;
  wasRun(): boolean;
  forget(): void;
}

/** Home, project and toolgate itself lie below a folder of that name. */
function createWorld(name = "plain"): World {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-entry-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const odd = join(base, name);
  const [home, project, folder] = [join(odd, "home"), join(odd, "project"), join(odd, "toolgate/dist/hook")];
  const state = join(home, ".local/state/toolgate");
  for (const path of [join(home, ".config/toolgate"), join(project, ".git"), state])
    mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, ".config/toolgate/config.yaml"), rules);
  cpSync(built, folder, { recursive: true });
  // Another name for the same node, in the same odd place.
  const node = join(odd, "node");
  symlinkSync(process.execPath, node);
  const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  // What the payload makes, and what the folder's name does.
  const marks = [join(base, "owned"), join(project, "owned")] as const;
  return {
    ...{ base, project, state, folder },
    install({ scope = "user", withoutScript = false } = {}) {
      const bundle = join(folder, "hook.cjs");
      const request = { home, env: {}, projectDir: project, managedDir: join(base, "etc") };
      const result = installClaudeCode({ ...request, scope, bundle, execPath: node, withoutScript });
      if (!result.ok) throw new Error(result.message);
      return JSON.parse(readFileSync(result.files[0]?.file ?? "", "utf8")).hooks.PreToolUse[0].hooks[0];
    },
    run(host, entry, { env = {}, keepOpen = false } = {}) {
      const [program = "", ...args] = host.start(entry);
      const own = { HOME: home, PATH: path, CLAUDE_PROJECT_DIR: project, ...env };
      const child = spawn(program, args, { cwd: project, env: own, stdio: "pipe" });
      child.stdin.on("error", () => {});
      child.stdin.write(payload(marks[0]));
      if (!keepOpen) child.stdin.end();
      return ended(child).then(
        ({ code, err }) => [code, err],
        () => [undefined, ""],
      );
    },
    wasRun: () => marks.some((file) => existsSync(file)),
    forget: () => {
      for (const file of marks) rmSync(file, { force: true });
    },
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
          const end = await world.run(host, entry);
          const where = `${host.name}: ${entry.command}\n${end[1]}`;
          if (host.isShell) expect(end, where).toEqual(gate);
          else expect([2, undefined], where).toContain(end[0]);
        }),
      );
      await Promise.all(runs);
      expect(world.wasRun()).toBe(false);
    },
  );

  it("is a gate in hosts without a shell, too, where its path has no special characters", async () => {
    const world = createWorld();
    const entry = world.install();
    for (const host of hosts.filter(({ name }) => name !== "takes the line for a program's name"))
      expect(await world.run(host, entry), host.name).toEqual(gate);
  });

  it("of the plugin does the same", async () => {
    const world = createWorld("the plugin's $(touch owned) place");
    const root = join(world.folder, "../../../plugin");
    cpSync(built, root, { recursive: true });
    const hooks = JSON.parse(readFileSync(join(built, "hooks/hooks.json"), "utf8")).hooks;
    const entry: Entry = hooks.PreToolUse[0].hooks[0];
    for (const host of hosts) {
      const end = await world.run(host, entry, { env: { CLAUDE_PLUGIN_ROOT: root } });
      if (host.isShell) expect(end).toEqual(gate);
      else expect([2, undefined], host.name).toContain(end[0]);
      // A program that reads the file and does not know the variable.
      expect([2, undefined], host.name).toContain((await world.run(host, entry))[0]);
    }
    expect(world.wasRun()).toBe(false);
  });
});

/** A host that ignores `timeout` never ends what it started: the entry has to end by itself, and as a denial. */
describe("an entry that nobody ends", () => {
  it("ends when its standard input does not, in every shell", async () => {
    const world = createWorld();
    const entry = world.install();
    const ends = shellHosts.map((host) => world.run(host, entry, { keepOpen: true }));
    for (const end of await Promise.all(ends))
      expect(end).toEqual([2, expect.stringContaining("10 seconds")]);
  });

  it("ends when the server that it asks says nothing, and is still a gate", async () => {
    const world = createWorld();
    const entry = world.install();
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as { readonly port: number };
    createHookCredentials(world.state).announce(`http://127.0.0.1:${port}`);
    for (const end of await Promise.all(shellHosts.map((host) => world.run(host, entry))))
      expect(end).toEqual(gate);
  });
});

describe("an entry whose hook cannot answer", () => {
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
      for (const host of shellHosts) expect((await world.run(host, entry))[0], host.name).toBe(2);
      expect(world.wasRun()).toBe(false);
    },
  );
});

describe("these tests would have seen", () => {
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
    for (const host of shellHosts) {
      await world.run(host, entryOf(world));
      expect(world.wasRun(), host.name).toBe(true);
      world.forget();
    }
  });

  it("a path that is put in without its backslashes: there a folder's name runs, or the gate is gone", async () => {
    const world = createWorld("x;touch owned;");
    const { command } = world.install();
    const [shell] = shellHosts;
    if (shell === undefined) throw new Error("There is no shell.");
    await world.run(shell, { command: command.replaceAll("\\", "") });
    expect(world.wasRun()).toBe(true);
  });
});
