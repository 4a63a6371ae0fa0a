import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readAncestors } from "../../../../src/safe/process/process-ancestors.ts";
import { agentAround } from "../../../../src/surfaces/cli/agent-around.ts";
import type { CliIo } from "../../../../src/surfaces/cli/terminal/io.ts";
import { useCliWorld } from "./cli-world.ts";
import { expectEnd, refuses } from "./expect-end.ts";

const terminal = { isTerminal: true, stdinIsTerminal: true };

function around(program: string | undefined, argv: readonly string[], more: Partial<CliIo> = terminal) {
  const above = [
    { pid: 9, program: "/usr/bin/bash", argv: ["-bash"] },
    { pid: 7, program, argv },
    { pid: 1, program: undefined, argv: ["/sbin/init"] },
  ];
  return agentAround({ env: {}, ancestors: () => above, ...more } as CliIo);
}

describe("an agent among the processes above", () => {
  it.each([
    ["/home/me/.local/share/claude/versions/2.0.1", ["claude", "--resume"]],
    ["/home/me/.local/bin/claude", ["/home/me/.local/bin/claude"]],
    ["/usr/bin/node", ["node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"]],
    [
      "/usr/bin/node",
      ["node", "--no-warnings=DEP0040", "/usr/lib/node_modules/@google/gemini-cli/dist/index.js"],
    ],
    ["/usr/bin/node", ["/usr/bin/node", "--max-old-space-size", "4096", "/opt/bin/qwen"]],
    ["/usr/bin/node", ["node", "/home/me/node_modules/@openai/codex/bin/codex.js", "exec"]],
    ["/opt/codex", ["codex", "exec"]],
    ["/usr/bin/node", ["node", "/usr/bin/copilot"]],
    ["/usr/bin/bun", ["bun", "/x/node_modules/opencode-ai/bin/opencode"]],
    ["/usr/bin/python3.12", ["python3", "/home/me/.local/bin/aider"]],
    ["/usr/bin/bash", ["/bin/bash", "/home/me/.local/bin/cursor-agent"]],
    [undefined, ["C:\\Users\\me\\claude.exe"]],
    ["/opt/x/node_modules/@kilocode/cli-linux-x64/bin/kilo", ["kilo", "run"]],
    ["/opt/x/node_modules/@factory/cli-linux-x64/bin/droid", ["droid", "exec"]],
    [undefined, ["grok", "-p", "go"]],
    [undefined, ["kimi"]],
    [
      "/usr/bin/node",
      ["node", "/opt/x/node_modules/@earendil-works/pi-coding-agent/dist/cli.js", "-p", "go"],
    ],
    ["/usr/bin/node", ["node", "--no-warnings", "/opt/x/node_modules/@moonshot-ai/kimi-code/dist/main.mjs"]],
    ["/usr/bin/node", ["node", "/opt/x/node_modules/@xai-official/grok/bin/cli.js"]],
    ["/usr/bin/node", ["node", "/opt/x/node_modules/@qoder-ai/qodercli/bin/q.js"]],
  ])("is known by its program or its script: %s %j", (program, argv) => {
    expect(around(program, argv)).toContain("pid 7");
    expect(around(program, argv, {})).toContain("pid 7");
  });

  it.each([
    ["/usr/bin/bash", ["bash", "-c", "echo claude"]],
    ["/usr/bin/vim", ["vim", "notes/claude"]],
    ["/usr/bin/node", ["node", "/home/me/claude-notes/server.js"]],
    ["/usr/share/code/code", ["/usr/share/code/code", "--type=ptyHost"]],
    ["/usr/bin/tmux", ["tmux", "new", "-s", "claude"]],
    ["/usr/bin/bash", ["bash", "-c", "grok", "it"]],
    ["/usr/bin/node", ["node", "/home/ann/kimi.js/server.mjs"]],
    ["/usr/bin/node", ["node", "/opt/x/node_modules/pi-digits/index.js"]],
  ])("is not seen in another program: %s %j", (program, argv) => {
    expect(around(program, argv)).toBeUndefined();
  });

  it("counts as well by its variable, unless somebody sits at the terminal", () => {
    const env = { CLAUDECODE: "1" };
    expect(around("/usr/bin/bash", ["bash"], { env })).toBe("CLAUDECODE is set");
    expect(around("/usr/bin/bash", ["bash"], { env, ...terminal })).toBeUndefined();
  });
});

describe("what is a person's decision", () => {
  const rules = "policies: { all: { tools: '*', action: approve } }\n";
  const world = useCliWorld(({ file }) => file("toolgate.yaml", rules), "file");

  it.each([
    ...[
      "trust",
      "trust --yes",
      "grants revoke --all",
      "init --force --yes",
      "init --user --force",
      "suggest",
    ],
    ...["tokens create theirs --rights call,approve", "tokens revoke mine", "import rules claude --yes"],
    ...["uninstall claude-code", "install claude-code --force", "console --print"],
    ...["upstreams add mine -- prog", "upstreams remove files", "audit prune --older-than 1ms --yes"],
    ...["sessions cancel s-1", "sessions resume s-1 x", "sessions remove s-1"],
  ])("is refused inside an agent, and nothing is changed: toolgate %s", async (line) => {
    for (const name of ["CLAUDECODE", "GEMINI_CLI", "TOOLGATE_CALL"])
      await expectEnd(world.run(line, { env: { [name]: "1" } }), {
        code: 1,
        err: /person's decision|inside an agent \(\w+ is set\)/,
      });
    expect(readFileSync(join(world.root, "toolgate.yaml"), "utf8")).toBe(rules);
    expect(readdirSync(world.home).filter((name) => name !== ".local" && name !== ".cache")).toEqual([]);
    expect((await world.run("trust --list")).out).toBe("No project file is trusted.\n");
    expect(await world.json("tokens list")).toEqual({ tokens: [] });
  });

  it("is not the agent's by --yes, nor by going on with a session", async () => {
    const env = { CLAUDECODE: "1" };
    await refuses(world.run("tools call fs.write {} --yes", { env }), "--yes would be the agent's own yes");
    await refuses(world.run("chat --session s-1", { env, stdin: "x\n" }), "not the agent's to go on with");
  });

  it.each(["trust --list", "tokens list", "sessions list"])("leaves %s to an agent", async (line) => {
    expect((await world.run(line, { env: { CLAUDECODE: "1" } })).code).toBe(0);
  });

  it("is made by a person at a terminal that the agent has opened", async () => {
    const asked = { env: { CLAUDECODE: "1" }, isTerminal: true, stdinIsTerminal: true };
    await expectEnd(world.run("tokens create mine --rights call", asked), { out: /^\S+\n$/ });
  });
});

describe("the processes above this one", () => {
  it.skipIf(process.platform === "win32")("begin with the parent and lead up to the first", () => {
    const found = readAncestors(process.pid);
    expect(found[0]?.pid).toBe(process.ppid);
    expect(found[0]?.argv.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ pid }) => pid)).size).toBe(found.length);
  });

  it.skipIf(process.platform === "win32")("are the same from ps(1)", () => {
    const pids = (platform: NodeJS.Platform) => readAncestors(process.pid, platform).map(({ pid }) => pid);
    expect(pids("darwin")[0]).toBe(process.ppid);
    expect(pids("darwin")).toEqual(pids(process.platform));
  });

  it("are none of a process that is not there", () => {
    expect(readAncestors(2 ** 30)).toEqual([]);
  });
});
