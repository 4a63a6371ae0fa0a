/** An agent's set-up made of data: entries in JSON, tables in TOML, a plugin of its own. */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { putParts, takeParts } from "../../../../src/agents/set-up/change-files.ts";
import type { FilePart } from "../../../../src/agents/set-up/file-part.ts";
import { hooksInJson } from "../../../../src/agents/set-up/json-hooks.ts";
import { jsonTrial } from "../../../../src/agents/set-up/json-trial.ts";
import { ownFile } from "../../../../src/agents/set-up/own-file.ts";
import { setUpAgent } from "../../../../src/agents/set-up/set-up-agent.ts";
import { hooksInToml } from "../../../../src/agents/set-up/toml-hooks.ts";
import { createWorld } from "../claude-code/world.ts";
import { type Installing, installing, remembering } from "../installing.ts";

const abilities = {
  ...({ deny: "told", ask: "queue", subAgents: "none", onHookFailure: "runs the call" } as const),
  ...{ contextBefore: false, contextAfter: false, rewrite: false, callId: false, holes: [] },
};

const inGroups = (file: string) =>
  hooksInJson({
    agent: "example",
    file,
    withComments: true,
    hooks: ({ before, after }) => {
      const groups = ({ line, seconds }: typeof after) => [
        { matcher: "*", hooks: [{ type: "command", command: line, timeout: seconds * 1000 }] },
      ];
      return { BeforeTool: groups(before), AfterTool: groups(after) };
    },
  });

const flat = (file: string, agent = "example") =>
  hooksInJson({
    agent,
    file,
    besides: { version: 1 },
    hooks: ({ before }) => ({ preToolUse: [{ command: before.line, timeout: before.seconds }] }),
  });

const tables = (file: string, agent = "example") =>
  hooksInToml({
    agent,
    file,
    hooks: ({ before }) => [{ event: agent, command: before.line, timeout: before.seconds }],
  });

const plugin = (file: string) =>
  ownFile({
    agent: "example",
    file,
    comment: "//",
    text: ({ before }) => `export const words = ${JSON.stringify(before.words)};\n`,
  });

function setUp(parts: (folder: string) => readonly FilePart[], beside?: Installing) {
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
  return installing(setup, undefined, beside);
}

const changed = (change: string) => ({ ok: true, files: [{ change }] });
const hooksFile = "home/.example/hooks.json";

describe("an agent's set-up", () => {
  it("never writes over a file that is not ours", () => {
    const { world, install, uninstall } = setUp((folder) => [plugin(join(folder, "plugin.js"))]);
    world.write("home/.example/plugin.js", "export const mine = 1;\n");
    expect(install()).toEqual({ ok: false, message: expect.stringContaining("is not toolgate's") });
    expect(uninstall()).toMatchObject(changed("none"));
    expect(world.raw("home/.example/plugin.js")).toBe("export const mine = 1;\n");
  });

  it.for([
    ["one is somebody else's", "closed/c.js"],
    ["one cannot be written", "closed"],
  ])("writes all files or none: %s", ([, taken = ""]) => {
    const { world, install } = setUp((folder) => [
      inGroups(join(folder, "new/a.json")),
      tables(join(folder, "b.toml")),
      plugin(join(folder, "closed/c.js")),
    ]);
    world.write("home/.example/b.toml", "a = 1\n");
    world.write(`home/.example/${taken}`, "mine");
    expect(install()).toMatchObject({ ok: false });
    expect(world.has("home/.example/new")).toBe(false);
    expect(world.raw("home/.example/b.toml")).toBe("a = 1\n");
    expect(world.raw(`home/.example/${taken}`)).toBe("mine");
  });

  it("sees entries that somebody has changed, and a hook that is gone", () => {
    const { world, install, examine } = setUp((folder) => [flat(join(folder, "hooks.json"))]);
    const problems = () => examine().flatMap(([check, level]) => (level === "problem" ? [check] : []));
    expect(problems()).toEqual(["hooks-installed"]);
    install();
    expect(problems()).toEqual([]);
    world.edit(hooksFile, (text) => text.replace("300,", "1,").replace('"timeout": 300', '"timeout": 1'));
    expect(problems()).toEqual(["hook-entry"]);
    install();
    expect(problems()).toEqual([]);
    chmodSync(world.path("toolgate/dist/hook/hook.sh"), 0o644);
    expect(problems()).toEqual(["hook-file"]);
  });

  it("takes the folder that it made with the last of its files, whichever that is", () => {
    const one = (folder: string) => flat(join(folder, "hooks.json"));
    const first = setUp((folder) => [one(folder)]);
    const both = setUp((folder) => [one(folder), tables(join(folder, "trust.toml"))], first);
    first.install();
    both.install();
    both.uninstall();
    expect(both.world.has("home/.example")).toBe(false);
  });

  it.for([
    ["TOML", tables, "a = 1"],
    ["JSON", flat, '{ "a" : 1}'],
    ["a file that was not there", flat, undefined],
  ] as const)("keeps apart what two of ours have in one file: %s", ([, part, text]) => {
    for (const isReversed of [false, true]) {
      const world = createWorld();
      const file = world.path("home/shared");
      const read = () => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
      if (text !== undefined) world.write("home/shared", text);
      const request = { ...world.request, scope: "user", memory: remembering() } as const;
      const both = [part(file), part(file, "other")];
      const hook = { program: { path: "/opt/hook.sh" }, node: "node" };
      for (const one of both) expect(putParts(request, [one], hook)).toMatchObject({ ok: true });
      const [first, last] = isReversed ? both.toReversed() : both;
      expect(takeParts(request, [first as FilePart])).toMatchObject(changed("changed"));
      expect(last?.find(read() ?? "")).toHaveLength(1);
      takeParts(request, [last as FilePart]);
      expect(read()).toBe(text);
    }
  });

  it("writes what an agent keeps in the home about a project, and follows no link out of the project", () => {
    const inHome = setUp((folder) => [tables(join(folder, "../../home/trust.toml"))]);
    const { world } = inHome;
    expect(inHome.install({ scope: "project" })).toMatchObject({ ok: true });
    const victim = world.write("home/victim.json", "{}");
    mkdirSync(world.path("project/.example"));
    symlinkSync(victim, world.path("project/.example/hooks.json"));
    const linked = setUp((folder) => [flat(join(folder, "hooks.json"))], inHome);
    expect(linked.install({ scope: "project" })).toMatchObject({
      ok: false,
      message: expect.stringContaining("outside of the project"),
    });
    expect(world.raw("home/victim.json")).toBe("{}");
  });

  it("says which scopes there are, and where the hooks are besides", () => {
    const { world, install } = setUp((folder) => [flat(join(folder, "hooks.json"))]);
    expect(install({ scope: "local" })).toEqual({
      ok: false,
      message: 'Example has no settings of the scope "local": it has user and project.',
    });
    install();
    const project = install({ scope: "project" });
    expect(project.ok && project.notes.join(" ")).toContain(world.path(hooksFile));
  });
});
