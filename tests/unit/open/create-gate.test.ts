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
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { textOf } from "../../../src/core/call/content.ts";
import {
  createGate,
  createMemoryLedger,
  defineTool,
  type Gate,
  type GateOptions,
} from "../../../src/index.ts";
import { names } from "../config/world.ts";
import { plugin } from "../sources/plugins/plugin-world.ts";

/** A home and a workspace with these files. */
function createPlace(files: Readonly<Record<string, string>> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-library-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  vi.stubEnv("HOME", join(folder, "home"));
  for (const name of ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]) vi.stubEnv(name, "");
  onTestFinished(() => void vi.unstubAllEnvs());
  const workspace = join(folder, "workspace");
  mkdirSync(workspace);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return { folder, workspace, file: (name: string) => join(folder, name) };
}

async function open(options: GateOptions): Promise<Gate> {
  const gate = await createGate(options);
  onTestFinished(() => gate.close());
  return gate;
}

/** With built-in tools in an own workspace. */
async function openIn(builtin: object = {}, more: GateOptions = {}, files = {}) {
  const place = createPlace(files);
  const { workspace } = place;
  return { ...place, gate: await open({ builtin: { workspace, ...builtin }, ...more }) };
}

const approveAll = { name: "all", tools: "*", action: "approve" } as const;

async function say(gate: Gate, tool: string, input: unknown): Promise<string> {
  const outcome = await gate.dispatch({ tool, input, sessionId: "s1" });
  return outcome.ok ? textOf(outcome.result) : `${outcome.error.code}: ${outcome.error.message}`;
}

const approveNotes = "policies:\n  notes: { tools: fs.write, action: approve }\n";

describe("a gate with built-in tools", () => {
  it("works in its workspace, and follows the rules of a file and of the program", async () => {
    const { workspace, file } = createPlace({ "workspace/a.txt": "hello\n", "rules.yaml": approveNotes });
    const conditions = [{ type: "path", operator: "matches", value: "secret" } as const];
    const gate = await open({
      builtin: { workspace, categories: ["filesystem", "editing"] },
      rules: file("rules.yaml"),
      policies: [{ name: "no-secrets", tools: "fs.*", action: "deny", conditions }],
    });
    expect(await say(gate, "fs.read", { path: "a.txt" })).toContain("hello");
    await say(gate, "fs.write", { path: "b.txt", content: "written" });
    expect(readFileSync(join(workspace, "b.txt"), "utf8")).toBe("written");
    expect(await say(gate, "fs.write", { path: "secret.txt", content: "x" })).toMatch(/^policy_denied/);
    expect(await say(gate, "fs.mkdir", { path: "d" })).toMatch(/^no_approver/);
    expect(gate.rules.policies.find(({ name }) => name === "notes")?.source).toMatchObject({ line: 2 });
  });

  it("resolves relative paths against the current folder", async () => {
    const { workspace, file } = createPlace({ "workspace/a.txt": "hello\n", "rules.yaml": approveNotes });
    const here = (path: string) => relative(process.cwd(), path);
    const gate = await open({ builtin: { workspace: here(workspace) }, rules: here(file("rules.yaml")) });
    expect(await say(gate, "fs.read", { path: "a.txt" })).toContain("hello");
    expect(names(gate.rules.policies)).toContain("notes");
  });

  it("has only the categories that were named, switched on; else all, on as they usually are", async () => {
    const { workspace } = createPlace();
    const named = await open({ builtin: { workspace, categories: ["development"] } });
    const categories = new Set(named.tools.list().map(({ category }) => category));
    expect(categories).toEqual(new Set(["editing", "shell", "git"]));
    expect(named.tools.view().find(({ id }) => id === "shell.exec")?.callable).toBe(true);
    const all = await open({ builtin: true, roots: [workspace] });
    expect(all.tools.count).toBeGreaterThan(40);
    expect(all.tools.view().find(({ id }) => id === "shell.exec")?.callable).toBe(false);
    expect(all.tools.view().find(({ id }) => id === "fs.read")?.callable).toBe(true);
  });

  it("holds tools of the program beside them", async () => {
    const own = defineTool({ id: "a.b", description: "x", permission: "read", input: {}, run: () => "own" });
    const { gate } = await openIn({}, { tools: [own] });
    expect(await say(gate, "a.b", {})).toBe("own");
    expect(gate.tools.get("a.b")?.source.kind).toBe("library");
    expect(gate.tools.get("fs.read")?.source.kind).toBe("builtin");
  });

  it("keeps the record where the program says", async () => {
    const ledger = createMemoryLedger();
    const defaultCaller = { id: "me", capabilities: ["*"] };
    const { gate } = await openIn({}, { ledger, defaultCaller }, { "workspace/a.txt": "hello\n" });
    await say(gate, "fs.read", { path: "a.txt" });
    expect(ledger.records()).toMatchObject([{ tool: "fs.read", caller: "me", ok: true }]);
  });

  it("closes its state and the configuration of toolgate to its tools", async () => {
    const { workspace, folder } = createPlace({ "home/.config/toolgate/config.yaml": "{}", "state/x": "x" });
    const gate = await open({
      builtin: { workspace, categories: ["filesystem", "editing"], stateFolder: join(folder, "state") },
      policies: [{ ...approveAll, priority: 100 }],
    });
    for (const [name, text] of [
      ["home/.config/toolgate/config.yaml", "{}"],
      ["state/x", "x"],
    ] as const) {
      const input = { path: join(folder, name), content: "mine", overwrite: true };
      expect(await say(gate, "fs.write", input)).not.toContain("wrote");
      expect(readFileSync(join(folder, name), "utf8")).toBe(text);
    }
  });

  it("still asks before plan mode ends, whatever rules are set later", async () => {
    const { gate } = await openIn();
    const fixed = names(gate.rules.policies) ?? [];
    expect(fixed).toHaveLength(1);
    await gate.setRules({ policies: [approveAll] });
    expect(names(gate.rules.policies)).toEqual(expect.arrayContaining(["all", ...fixed]));
    await gate.setRules({ policies: gate.rules.policies });
    expect(gate.rules.policies).toHaveLength(2);
    const [name = ""] = fixed;
    await gate.setRules({ policies: [{ ...approveAll, name }] });
    expect(gate.rules.policies[0]?.action).toBe("ask");
  });

  it("ends what its tools left running when it is closed", async () => {
    const { gate, workspace } = await openIn({ categories: ["shell"] }, { policies: [approveAll] });
    const command = "echo $$ > pid; while :; do sleep 0.05; done";
    await say(gate, "shell.exec", { command, background: true });
    const file = join(workspace, "pid");
    await expect.poll(() => existsSync(file) && readFileSync(file, "utf8").trim()).toMatch(/^\d+$/);
    const pid = Number(readFileSync(file, "utf8"));
    expect(() => process.kill(pid, 0)).not.toThrow();
    await Promise.all([gate.close(), gate.close()]);
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });
});

describe("rule files of a program", () => {
  it("are enough without built-in tools, and what they set up counts", async () => {
    const { file } = createPlace({
      "rules.yaml":
        "hooks: { default: deny }\ntools: { enabled_categories: [shell] }\nroutes:\n  x: { tool: Bash, pattern: ^rm, message: Use the bin. }\n",
    });
    const gate = await open({ rules: file("rules.yaml") });
    expect(gate.tools.count).toBe(0);
    expect((await gate.check({ tool: "Bash", input: { command: "rm a" } })).message).toContain("Use the bin");
    expect((await gate.check({ tool: "Other", input: {} })).verdict).toBe("deny");
    expect(gate.categories.get("shell")?.enabled).toBe(true);
    const abstaining = await open({ rules: file("rules.yaml"), checkDefault: "abstain" });
    expect((await abstaining.check({ tool: "Other", input: {} })).verdict).toBe("abstain");
  });

  it("may be several", async () => {
    const { file } = createPlace({
      "a.yaml": approveNotes,
      "b.yaml": "policies:\n  more: { tools: fs.read, action: deny, reason: No. }\n",
    });
    const gate = await open({ rules: [file("a.yaml"), file("b.yaml")] });
    expect(names(gate.rules.policies)?.sort()).toEqual(["more", "notes"]);
  });

  it("bring the plugins and the upstream servers that they name", async () => {
    const server = fileURLToPath(new URL("../../scripted-mcp-server.ts", import.meta.url));
    const echo = { name: "echo", description: "Says it again.", inputSchema: { type: "object" } };
    const { file, folder } = createPlace({
      "script.json": JSON.stringify({ tools: [echo] }),
      "tools/a.json": JSON.stringify(plugin("hello")),
    });
    const command = `command: ${process.execPath}, args: ['${server}', '${file("script.json")}']`;
    writeFileSync(
      file("rules.yaml"),
      `plugins: { folders: [tools] }\nupstreams:\n  notes: { ${command}, era: legacy }\n`,
    );
    const ledger = createMemoryLedger();
    const gate = await createGate({ rules: file("rules.yaml"), roots: [folder], ledger });
    const ids = gate.tools.list().map(({ id }) => id);
    expect(ids.sort()).toEqual(["hello", "notes__echo"]);
    await gate.close();
  });
});

describe("what is wrong is told at once, and where", () => {
  it.each<[string, (place: ReturnType<typeof createPlace>) => unknown, RegExp]>([
    [
      "a file that is not there",
      ({ file }) => ({ rules: file("no.yaml") }),
      /rules cannot be used:\n.*no\.yaml: /,
    ],
    ["a rule that is wrong", ({ file }) => ({ rules: file("bad.yaml") }), /bad\.yaml:[12]:\d+: .*polices/],
    [
      "a name that a file and the program use",
      ({ file }) => ({ rules: file("a.yaml"), policies: [{ name: "notes", tools: "*", action: "deny" }] }),
      /policy "notes"[\s\S]*a\.yaml:2/,
    ],
    [
      "a workspace that is not there",
      ({ file }) => ({ builtin: { workspace: file("no") } }),
      /no folder .*no\. Make it/,
    ],
    [
      "two workspaces",
      ({ workspace }) => ({ builtin: { workspace }, roots: [workspace] }),
      /builtin\.workspace and roots say the same/,
    ],
    [
      "a misspelt option",
      () => ({ builtn: true }),
      /createGate has no option "builtn"; did you mean "builtin"\?/,
    ],
    [
      "a misspelt choice",
      () => ({ builtin: { worspace: "." } }),
      /builtin has no option "worspace"; did you mean "workspace"\?/,
    ],
    ["a category that nobody has", () => ({ builtin: { categories: ["editng"] } }), /editng.*editing/s],
    [
      "a plugin that is broken",
      ({ file }) => ({ rules: file("plugins.yaml") }),
      /plugins that the rules name[\s\S]*broken\.json:1/,
    ],
    ["rules that are no path", () => ({ rules: [1] }), /rules must be the path of a rule file/],
    ["another kind of option", () => ({ builtin: true, roots: "x" }), /roots must be a list of folders/],
  ])("%s", async (_what, options, message) => {
    const place = createPlace({
      "a.yaml": approveNotes,
      "bad.yaml": "polices:\n  x: 1\n",
      "plugins.yaml": "plugins: { folders: [broken] }\n",
      "broken/broken.json": "{",
    });
    await expect(createGate(options(place) as GateOptions)).rejects.toThrow(message);
  });
});
