/** What holds for the set-up of every agent: in once, out to the byte, and harmless in whatever reads the file. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import type { SetupScope } from "../../../src/agents/agent-setup.ts";
import { allAgents } from "../../../src/agents/all-agents.ts";
import { isRecord } from "../../../src/core/input/json.ts";
import { createWorld, type World } from "./claude-code/world.ts";
import { remembering } from "./installing.ts";

const agents = await Promise.all(allAgents.map(async (agent) => ({ agent, setup: await agent.loadSetup() })));
const cases = agents.flatMap(({ agent, setup }) =>
  setup.scopes.map((scope) => ({ name: agent.name, setup, scope })),
);

/** `place`: a folder with an odd name that holds toolgate itself. */
function open(
  world: World,
  { setup, scope }: { setup: (typeof agents)[0]["setup"]; scope: SetupScope },
  place: string,
) {
  const folder = join(world.path(place), "dist/hook");
  mkdirSync(folder, { recursive: true });
  // Tells how it was started, and takes what it is given for data.
  writeFileSync(join(folder, "hook.sh"), '#!/bin/sh\ncat >/dev/null\nprintf "%s\\n" "$0" "$@" >"$OUT"\n');
  writeFileSync(join(folder, "hook.cjs"), "#!/usr/bin/env node\n");
  for (const name of ["hook.sh", "hook.cjs"]) chmodSync(join(folder, name), 0o755);
  const request = { ...world.request, scope, memory: remembering() };
  const bundle = join(folder, "hook.cjs");
  const done = (result: ReturnType<typeof setup.install>) => {
    if (!result.ok) throw new Error(result.message);
    return result.files;
  };
  return {
    install: () => done(setup.install({ ...request, bundle, execPath: process.execPath })),
    trust: () => setup.trust?.(request)?.run({ client: undefined, signal: new AbortController().signal }),
    uninstall: () => done(setup.uninstall(request)),
    examine: () => setup.examine(request).findings,
  };
}

/** Every file of the person and of the project with its bytes, and every folder. */
function everything(world: World): Record<string, string> {
  const names = ["home", "project"].flatMap((part) => [
    part,
    ...readdirSync(world.path(part), { recursive: true, encoding: "utf8" }).map((name) => join(part, name)),
  ]);
  return Object.fromEntries(
    names.map((name) => {
      const path = world.path(name);
      return [name, statSync(path).isDirectory() ? "/" : readFileSync(path, "utf8")];
    }),
  );
}

describe.for(cases)("$name, $scope", (one) => {
  it("is installed once, is seen by examine, and leaves nothing behind", async () => {
    const world = createWorld();
    const before = everything(world);
    const agent = open(world, one, "toolgate");
    expect(agent.install().map(({ change }) => change)).not.toContain("none");
    await agent.trust();
    const installed = everything(world);
    expect(agent.install().map(({ change }) => change)).not.toContain("changed");
    expect(everything(world)).toEqual(installed);
    const found = agent.examine().filter(({ check }) => /^hooks?-(?:installed|entry|file)$/.test(check));
    expect(found).toMatchObject([{ check: "hooks-installed", level: "ok" }]);
    agent.uninstall();
    expect(everything(world)).toEqual(before);
  });

  it("keeps what is there, to the byte", async () => {
    const world = createWorld();
    const agent = open(world, one, "toolgate");
    const files = agent.install().map(({ file }) => file);
    agent.uninstall();
    for (const file of files) {
      const text = foreignText(file);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const before = everything(world);
    try {
      agent.install();
      await agent.trust();
    } catch (error) {
      // A file that is only for us, and is somebody's.
      expect(String(error)).toContain("is not toolgate's");
      expect(everything(world)).toEqual(before);
      return;
    }
    for (const file of files) expect(readFileSync(file, "utf8")).toContain("1,  2");
    agent.uninstall();
    expect(everything(world)).toEqual(before);
  });

  it.for(["toolgate", "two words", `it's "$(touch owned)" ; #`])(
    "starts only our own program, whoever reads its entries: in %s",
    (place) => {
      const world = createWorld();
      const agent = open(world, one, place);
      const entries = agent.install().flatMap(({ file }) => entriesIn(file));
      for (const { line, holder } of entries) {
        // Others ignore `args`, and start the program alone.
        expect(holder).not.toHaveProperty("args");
        const [first = "", name = ""] = line.split(/\s+/);
        // Cut at blanks, the line never names a file of the folder that the agent works in.
        expect(first).toMatch(/^(?:\/|"\$\w+"\/)/);
        if (!/\s/.test(place))
          expect([/\/hook\.(?:sh|cjs)$/.test(first), typeof name]).toEqual([true, "string"]);
        const out = world.path("started");
        const owned = world.path("project/owned");
        // Whoever does not read its input may be gone before all of it is written: no fault of this one.
        const { status } = spawnSync("/bin/sh", ["-c", line], {
          cwd: world.project,
          env: { PATH: process.env.PATH, OUT: out, HOME: world.home },
          input: `touch ${owned}\n{"$(touch ${owned})": "\`touch ${owned}\`"}`,
          stdio: ["pipe", "pipe", "pipe"],
        });
        expect(status).toBe(0);
        expect(existsSync(owned)).toBe(false);
        // A project's settings name the process, which needs a node on the PATH; here it says nothing.
        if (one.scope !== "project")
          expect(readFileSync(out, "utf8")).toContain(join(place, "dist/hook/hook.sh"));
      }
    },
  );
});

/** Something of everybody's that these formats take. */
function foreignText(file: string): string {
  return file.endsWith(".toml")
    ? "# mine\nforeign = [1,  2]\n\n[other]\na = 1"
    : '{ "foreign" : [1,  2],\n\n  "other":{}}';
}

interface Found {
  readonly line: string;
  readonly holder: Readonly<Record<string, unknown>>;
}

/** Every text in a settings file that starts something of ours. A plugin is a program of its own. */
function entriesIn(file: string): Found[] {
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".toml")) return linesIn(parseToml(text));
  return file.endsWith(".json") || file.endsWith(".jsonc") ? linesIn(parseJson(text)) : [];
}

function linesIn(value: unknown): Found[] {
  if (Array.isArray(value)) return value.flatMap(linesIn);
  if (!isRecord(value)) return [];
  return Object.values(value).flatMap((member) =>
    typeof member === "string"
      ? /hook\.(?:sh|cjs)/.test(member)
        ? [{ line: member, holder: value }]
        : []
      : linesIn(member),
  );
}
