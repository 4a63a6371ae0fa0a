/** An agent's set-up made of data: entries in JSON, tables in TOML, a plugin of its own. */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SettingsChange, SetupMemory } from "../../../../src/agents/agent-setup.ts";
import { putParts, takeParts } from "../../../../src/agents/set-up/change-files.ts";
import type { FilePart } from "../../../../src/agents/set-up/file-part.ts";
import { hooksInJson } from "../../../../src/agents/set-up/json-hooks.ts";
import { jsonTrial } from "../../../../src/agents/set-up/json-trial.ts";
import { ownFile } from "../../../../src/agents/set-up/own-file.ts";
import { setUpAgent } from "../../../../src/agents/set-up/set-up-agent.ts";
import { hooksInToml } from "../../../../src/agents/set-up/toml-hooks.ts";
import { createWorld, type World } from "../claude-code/world.ts";

const abilities = {
  deny: "told",
  ask: "queue",
  contextBefore: false,
  contextAfter: false,
  rewrite: false,
  callId: false,
  subAgents: "none",
  onHookFailure: "runs the call",
  holes: [],
} as const;

const inGroups = (file: string) =>
  hooksInJson({
    agent: "example",
    file,
    withComments: true,
    hooks: ({ before, after }) => ({
      BeforeTool: [
        {
          matcher: "*",
          hooks: [{ type: "command", command: before.line, timeout: before.seconds * 1000 }],
        },
      ],
      AfterTool: [
        { matcher: "*", hooks: [{ type: "command", command: after.line, timeout: after.seconds * 1000 }] },
      ],
    }),
  });

const flat = (file: string) =>
  hooksInJson({
    agent: "example",
    file,
    besides: { version: 1 },
    hooks: ({ before }) => ({ preToolUse: [{ command: before.line, timeout: before.seconds }] }),
  });

const tables = (file: string) =>
  hooksInToml({
    agent: "example",
    file,
    hooks: ({ before }) => [{ event: "PreToolUse", command: before.line, timeout: before.seconds }],
  });

/** The same for another agent. */
function other(part: typeof flat | typeof tables, file: string): FilePart {
  return part === flat
    ? hooksInJson({
        agent: "other",
        file,
        besides: { version: 1 },
        hooks: ({ before }) => ({ preToolUse: [{ command: before.line }] }),
      })
    : hooksInToml({
        agent: "other",
        file,
        hooks: ({ before }) => [{ event: "Other", command: before.line }],
      });
}

const plugin = (file: string) =>
  ownFile({
    agent: "example",
    file,
    comment: "//",
    text: ({ before }) => `export const words = ${JSON.stringify(before.words)};\n`,
  });

function setUp(world: World, parts: (folder: string) => readonly FilePart[]) {
  const setup = setUpAgent({
    name: "example",
    title: "Example",
    abilities,
    scopes: ["user", "project"],
    signs: { programs: [], folders: () => [] },
    hookTrial: jsonTrial(
      (tool) => ({ tool }),
      ({ no }) => no,
    ),
    parts: ({ scope, home, projectDir }) => parts(join(scope === "project" ? projectDir : home, ".example")),
  });
  world.write("toolgate/dist/hook/hook.sh", "#!/bin/bash\n");
  const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
  const memory = remembering();
  const request = { ...world.request, scope: "user", memory } as const;
  return {
    setup,
    install: (more: object = {}) =>
      setup.install({ ...request, bundle, execPath: process.execPath, ...more }),
    uninstall: (more: object = {}) => setup.uninstall({ ...request, ...more }),
    examine: () => setup.examine(request),
  };
}

function remembering(): SetupMemory {
  const known = new Map<string, SettingsChange>();
  return {
    recall: (file) => known.get(file),
    remember(file, change) {
      if (change === undefined) known.delete(file);
      else known.set(file, change);
    },
  };
}

const read = (world: World, name: string) => readFileSync(world.path("home/.example", name), "utf8");
const foreign = '{ "command": "./mine.sh" }';

const kinds: readonly (readonly [string, string, (file: string) => FilePart, readonly string[]])[] = [
  [
    "groups with comments",
    "settings.json",
    inGroups,
    [
      "{}",
      "",
      '// mine\n{\n\t"a": 1, // one\n\t"hooks": {"BeforeTool": [ /* x */ {"hooks": []} ], "enabled": true,},\n}\n',
      '\ufeff{"hooks":{"AfterTool":[{"matcher":"a","hooks":[{"type":"command","command":"x"}]}]}}',
    ],
  ],
  [
    "flat lists",
    "hooks.json",
    flat,
    [
      `{"version": 1, "hooks": {"preToolUse": [${foreign}, ${foreign}]}}`,
      `{\r\n    "hooks": {\r\n        "stop": [${foreign}]\r\n    }\r\n}`,
    ],
  ],
  [
    "TOML",
    "config.toml",
    tables,
    [
      'model = "x" # mine\n\n[[hooks]]\nevent = "Stop"\ncommand = "./mine.sh"\n',
      "a = 1",
      '# only\r\n[x]\r\nb = """\r\n[[hooks]]\r\n"""\r\n',
    ],
  ],
];

describe("an agent's set-up", () => {
  it.for(kinds.flatMap(([kind, name, part, texts]) => texts.map((text) => ({ kind, name, part, text }))))(
    "puts ours beside what is there, once, and takes it out to the byte: $kind, $text",
    ({ name, part, text }) => {
      const world = createWorld();
      world.write(`home/.example/${name}`, text);
      const agent = setUp(world, (folder) => [part(join(folder, name))]);
      expect(agent.install()).toMatchObject({ ok: true, files: [{ change: "changed" }] });
      const installed = read(world, name);
      for (const own of ["mine.sh", "// mine", "/* x */", "# only"])
        expect(installed.split(own).length, own).toBe(text.split(own).length);
      expect(installed.match(/hook\.sh example/g)?.length).toBe(part("x").find(installed).length);
      expect(agent.install()).toMatchObject({ ok: true, files: [{ change: "none" }] });
      expect(agent.examine().findings).toEqual([expect.objectContaining({ level: "ok" })]);
      expect(agent.uninstall()).toMatchObject({ ok: true, files: [{ change: "changed" }] });
      expect(read(world, name)).toBe(text);
      expect(agent.uninstall()).toMatchObject({ ok: true, files: [{ change: "none" }] });
    },
  );

  it.for([...kinds.map(([kind, , part]) => [kind, part] as const), ["a plugin", plugin] as const])(
    "makes what is not there, and leaves no trace of it: %s",
    ([, part]) => {
      const world = createWorld();
      const agent = setUp(world, (folder) => [part(join(folder, "deep/er/file"))]);
      expect(agent.install({ dryRun: true })).toMatchObject({ ok: true, files: [{ change: "made" }] });
      expect(existsSync(world.path("home/.example"))).toBe(false);
      expect(agent.install()).toMatchObject({ ok: true, files: [{ change: "made" }] });
      expect(agent.examine().findings).toEqual([expect.objectContaining({ level: "ok" })]);
      expect(agent.uninstall()).toMatchObject({ ok: true, files: [{ change: "removed" }] });
      expect(existsSync(world.path("home/.example"))).toBe(false);
    },
  );

  it("never writes over a file that is not ours", () => {
    const world = createWorld();
    world.write("home/.example/plugin.js", "export const mine = 1;\n");
    const agent = setUp(world, (folder) => [plugin(join(folder, "plugin.js"))]);
    expect(agent.install()).toEqual({ ok: false, message: expect.stringContaining("is not toolgate's") });
    expect(agent.uninstall()).toMatchObject({ ok: true, files: [{ change: "none" }] });
    expect(read(world, "plugin.js")).toBe("export const mine = 1;\n");
  });

  it.for([
    ["one is somebody else's", "closed/c.js"],
    ["one cannot be written", "closed"],
  ])("writes all files or none: %s", ([, taken = ""]) => {
    const world = createWorld();
    const before = world.write("home/.example/b.toml", "a = 1\n");
    world.write(`home/.example/${taken}`, "mine");
    const agent = setUp(world, (folder) => [
      inGroups(join(folder, "new/a.json")),
      tables(before),
      plugin(join(folder, "closed/c.js")),
    ]);
    expect(agent.install()).toMatchObject({ ok: false });
    expect(existsSync(world.path("home/.example/new"))).toBe(false);
    expect(read(world, "b.toml")).toBe("a = 1\n");
    expect(read(world, taken)).toBe("mine");
  });

  it("sees entries that somebody has changed, and a hook that is gone", () => {
    const world = createWorld();
    const agent = setUp(world, (folder) => [flat(join(folder, "hooks.json"))]);
    const problems = () =>
      agent
        .examine()
        .findings.filter(({ level }) => level === "problem")
        .map(({ check }) => check);
    expect(problems()).toEqual(["hooks-installed"]);
    agent.install();
    expect(problems()).toEqual([]);
    const text = read(world, "hooks.json");
    world.write(
      "home/.example/hooks.json",
      text.replace("300,", "1,").replace('"timeout": 300', '"timeout": 1'),
    );
    expect(problems()).toEqual(["hook-entry"]);
    agent.install();
    expect(problems()).toEqual([]);
    chmodSync(world.path("toolgate/dist/hook/hook.sh"), 0o644);
    expect(problems()).toEqual(["hook-file"]);
  });

  it("takes the folder that it made with the last of its files, whichever that is", () => {
    const world = createWorld();
    const first = setUp(world, (folder) => [flat(join(folder, "hooks.json"))]);
    const both = setUp(world, (folder) => [
      flat(join(folder, "hooks.json")),
      tables(join(folder, "trust.toml")),
    ]);
    const memory = remembering();
    first.install({ memory });
    both.install({ memory });
    both.uninstall({ memory });
    expect(existsSync(world.path("home/.example"))).toBe(false);
  });

  it.for([
    ["TOML", tables, "a = 1"],
    ["JSON", flat, '{ "a" : 1}'],
    ["a file that was not there", flat, undefined],
  ] as const)("keeps apart what two of ours have in one file: %s", ([, part, text]) => {
    const file = "home/shared";
    for (const isReversed of [false, true]) {
      const world = createWorld();
      if (text !== undefined) world.write(file, text);
      const memory = remembering();
      const request = { ...world.request, scope: "user", memory } as const;
      const hook = { program: { path: "/opt/hook.sh" }, node: "node" };
      const both = [part(world.path(file)), other(part, world.path(file))];
      for (const one of both) expect(putParts(request, [one], hook)).toMatchObject({ ok: true });
      const [first, last] = isReversed ? both.toReversed() : both;
      expect(takeParts(request, [first as FilePart])).toMatchObject({
        ok: true,
        files: [{ change: "changed" }],
      });
      expect(last?.find(readFileSync(world.path(file), "utf8"))).toHaveLength(1);
      takeParts(request, [last as FilePart]);
      expect(existsSync(world.path(file)) ? readFileSync(world.path(file), "utf8") : undefined).toBe(text);
    }
  });

  it("writes what an agent keeps in the home about a project, and follows no link out of the project", () => {
    const world = createWorld();
    const inHome = setUp(world, () => [tables(world.path("home/trust.toml"))]);
    expect(inHome.install({ scope: "project" })).toMatchObject({ ok: true });
    const victim = world.write("home/victim.json", "{}");
    mkdirSync(world.path("project/.example"));
    symlinkSync(victim, world.path("project/.example/hooks.json"));
    const linked = setUp(world, (folder) => [flat(join(folder, "hooks.json"))]);
    expect(linked.install({ scope: "project" })).toMatchObject({
      ok: false,
      message: expect.stringContaining("outside of the project"),
    });
    expect(readFileSync(victim, "utf8")).toBe("{}");
  });

  it("says which scopes there are, and where the hooks are besides", () => {
    const world = createWorld();
    const agent = setUp(world, (folder) => [flat(join(folder, "hooks.json"))]);
    expect(agent.install({ scope: "local" })).toEqual({
      ok: false,
      message: 'Example has no settings of the scope "local": it has user and project.',
    });
    agent.install();
    const project = agent.install({ scope: "project" });
    expect(project.ok && project.notes.join(" ")).toContain(world.path("home/.example/hooks.json"));
  });
});
