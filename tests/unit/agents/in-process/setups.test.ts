/** Where the plugins go, what is seen of them there, and which MCP servers their agents have. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AgentSetup, InstallRequest } from "../../../../src/agents/agent-setup.ts";
import { allAgents } from "../../../../src/agents/all-agents.ts";

const bundle = resolve(import.meta.dirname, "../../../../dist/hook/hook.cjs");

function createPlace(scope: "user" | "project" = "user") {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-plugins-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [home, projectDir] = [join(base, "home"), join(base, "project")];
  for (const folder of [home, projectDir]) mkdirSync(folder);
  const write = (file: string, text: string) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const request: InstallRequest = { home, projectDir, env: {}, scope, bundle, execPath: process.execPath };
  return { home, projectDir, request, write };
}

async function setupOf(name: string): Promise<AgentSetup> {
  const setup = await allAgents.find((agent) => agent.name === name)?.loadSetup();
  if (setup === undefined) throw new Error(`${name} is not known`);
  return setup;
}

const files = [
  ["opencode", "user", "home/.config/opencode/plugins/toolgate.js"],
  ["opencode", "project", "project/.opencode/plugins/toolgate.js"],
  ["kilo", "user", "home/.config/kilo/plugin/toolgate.js"],
  ["kilo", "project", "project/.kilo/plugin/toolgate.js"],
  ["cline", "user", "home/.cline/plugins/toolgate.js"],
  ["cline", "project", "project/.cline/plugins/toolgate.js"],
  ["pi", "user", "home/.pi/agent/extensions/toolgate.js"],
  ["pi", "project", "project/.pi/extensions/toolgate.js"],
] as const;

describe("the plugin", () => {
  it.each(files)(
    "of %s for the %s goes to %s, and away again with its folders",
    async (name, scope, path) => {
      const { home, request } = createPlace(scope);
      const setup = await setupOf(name);
      const file = join(dirname(home), path);
      expect(setup.install(request)).toMatchObject({ ok: true, files: [{ file, change: "made" }] });
      expect(setup.install(request)).toMatchObject({ ok: true, files: [{ file, change: "none" }] });
      const text = readFileSync(file, "utf8");
      const values = JSON.parse(/const toolgateValues = (\{[\s\S]*?\n\});/.exec(text)?.[1] ?? "") as object;
      expect(values).toMatchObject({ agent: name, hook: bundle, seconds: 300 });
      expect(setup.uninstall(request).ok).toBe(true);
      expect(existsSync(file)).toBe(false);
    },
  );

  it("is looked at by doctor: whole, changed by one letter, or another's file", async () => {
    const { home, request, write } = createPlace();
    const setup = await setupOf("opencode");
    const file = join(home, ".config/opencode/plugins/toolgate.js");
    const levels = () => setup.examine(request).findings.map(({ check, level }) => `${check} ${level}`);
    expect(levels()).toEqual(["hooks-installed problem"]);
    setup.install(request);
    expect(levels()).toEqual(["hooks-installed ok"]);
    // A syntax error, which the agent would not speak of.
    write(file, readFileSync(file, "utf8").replace("async function", "async functio"));
    expect(levels()).toEqual(["hooks-installed ok", "hook-entry problem"]);
    write(file, "export const mine = async () => ({});\n");
    expect(setup.install(request)).toMatchObject({ ok: false });
    expect(readFileSync(file, "utf8")).toContain("mine");
  });

  it("can be started by hand with the line in its first comment", async () => {
    const { request } = createPlace();
    const { installed } = (await setupOf("pi")).examine(request);
    expect(installed).toEqual([]);
    (await setupOf("pi")).install(request);
    const [hook] = (await setupOf("pi")).examine(request).installed;
    expect(hook?.words?.slice(1, 2)).toEqual(["pi"]);
  });
});

describe("MCP servers", () => {
  it("of OpenCode are found in the files of the project and the user, without those that are off", async () => {
    const { home, projectDir, request, write } = createPlace();
    write(
      join(projectDir, "opencode.json"),
      `{ "mcp": { // with remarks
        "store": { "type": "local", "command": ["node", "store.mjs"], "environment": { "TOKEN": "{env:STORE_TOKEN}" } },
        "off": { "type": "local", "command": ["x"], "enabled": false },
      } }`,
    );
    write(
      join(home, ".config/opencode/opencode.jsonc"),
      JSON.stringify({ mcp: { web: { type: "remote", url: "https://mcp.example", headers: { A: "b" } } } }),
    );
    expect((await setupOf("opencode")).findServers(request)).toMatchObject([
      {
        name: "store",
        command: "node",
        args: ["store.mjs"],
        env: { TOKEN: expect.stringMatching(/^\$\{STORE_TOKEN\}$/) },
      },
      { name: "web", url: "https://mcp.example", headers: { A: "b" } },
    ]);
  });

  it("of Cline are found in its data folder", async () => {
    const { home, request, write } = createPlace();
    const servers = { store: { command: "node", args: ["s.mjs"] }, off: { command: "x", disabled: true } };
    write(
      join(home, ".cline/data/settings/cline_mcp_settings.json"),
      JSON.stringify({ mcpServers: servers }),
    );
    expect((await setupOf("cline")).findServers(request)).toMatchObject([{ name: "store", command: "node" }]);
  });
});
