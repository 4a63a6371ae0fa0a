import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { goodFile, useCliWorld } from "./cli-world.ts";
import { expectEnd, refuses, says } from "./expect-end.ts";

const world = useCliWorld();

const wide = `routes:
  let-pass: {tool: Bash, pattern: ^ls, action: allow}
  change: {tool: Bash, pattern: ^git log$, action: rewrite, rewrite: {command: git --no-pager log}}
policies:
  yes-make: {tools: Bash, action: approve, conditions: [{type: command, operator: startsWith, value: make}]}
tools: {enable_all: true}
`;
const trustList = () => join(world.home, ".local/state/toolgate/trust.json");
const pins = () => (JSON.parse(readFileSync(trustList(), "utf8")) as { files: { path: string }[] }).files;

describe("toolgate trust", () => {
  it("shows what the project's files would be allowed to do, and pins them", async () => {
    const file = world.file("toolgate.yaml", wide);
    await says(
      world.run("trust --yes"),
      "Ignored until now, in force once it is trusted:",
      '    route "let-pass": it lets calls pass (toolgate.yaml:2)',
      '    route "change": it changes calls (toolgate.yaml:3)',
      '    policy "yes-make": it approves calls (toolgate.yaml:5)',
      "    tools: it would switch tools on",
    );
    expect(pins()).toMatchObject([{ path: file }]);
    expect((await world.run("list")).out).toContain("let-pass (from: toolgate.yaml)");
    expect(statSync(trustList()).mode & 0o077).toBe(0);
  });

  it("asks, and where there is no terminal to ask at it trusts nothing without --yes", async () => {
    world.file("toolgate.yaml", wide);
    await expectEnd(world.run("trust"), {
      code: 1,
      out: 'route "let-pass": it lets calls pass',
      err: "Nothing was changed: there is no terminal to ask at.",
    });
    expect((await world.run("trust --list")).out).toBe("No project file is trusted.\n");
  });

  it("takes the trust back by itself when the file changes, and says so", async () => {
    const file = world.file("toolgate.yaml", wide);
    await world.run("trust --yes");
    writeFileSync(file, wide.replace("^ls", "^rm"));
    expect((await world.run("list")).out).not.toContain("let-pass (from:");
    expect((await world.run("trust --list")).out).toContain("has changed since");
    await says(world.run("trust --yes"), "It has changed since it was trusted.");
    expect(pins()).toHaveLength(1);
    expect((await world.run("trust")).out).toContain("is trusted already");
  });

  it("takes a file that TOOLGATE_ROUTES names, which then may hold more than a stranger's", async () => {
    const routes = Array.from({ length: 600 }, (_, n) => `  r${n}: {tool: Bash, pattern: x${n}, message: m}`);
    const file = world.file("many.yaml", `routes:\n${routes.join("\n")}\n`);
    const named = { TOOLGATE_ROUTES: file };
    expect((await world.run(["trust", "--yes", file])).err).toContain("where that variable names it");
    expect((await world.run("config validate", { env: named })).err).toContain("may hold 500 patterns");
    expect((await world.run(["trust", "--yes", file], { env: named })).code).toBe(0);
    expect((await world.run("config validate", { env: named })).code).toBe(0);
  });

  it("takes files and folders, of other projects too", async () => {
    const one = world.file("one/toolgate.yaml", goodFile);
    const two = world.file("two/.claude/tool-routes.yaml", goodFile);
    await says(
      world.run("trust --yes one/toolgate.yaml two"),
      "It only makes the gate stricter: nothing in it was ignored.",
    );
    expect(pins().map(({ path }) => path)).toEqual([one, two]);
  });

  it.each([
    [[], "has no project file to trust"],
    [["nope.yaml"], "There is no such file."],
    [["empty"], "has no project file to trust"],
    [["notes.txt"], "This is no project file"],
    [["toolgate.yaml", "broken/toolgate.yaml"], "broken/toolgate.yaml:1:"],
  ])("trusts nothing when %j is not right", async (targets, message) => {
    mkdirSync(join(world.root, "empty"));
    world.file("notes.txt", "");
    if (targets.length > 0) world.file("toolgate.yaml", wide);
    world.file("broken/toolgate.yaml", "routes: [");
    await refuses(world.run(["trust", ...targets]), message);
    expect((await world.run("trust --list")).out).toBe("No project file is trusted.\n");
  });

  it("follows a link to the file that is really read", async () => {
    const real = world.file("shared/rules.yaml", wide);
    symlinkSync(real, join(world.root, "toolgate.yaml"));
    expect((await world.run("trust --yes")).code).toBe(0);
    expect(pins()).toMatchObject([{ path: real }]);
    expect((await world.run("list")).out).toContain("let-pass (from:");
  });

  it("prints JSON", async () => {
    const file = world.file("toolgate.yaml", wide);
    expect(await world.json("trust --yes")).toMatchObject({
      trusted: [{ file, gains: { length: 4 } }],
      list: trustList(),
    });
    expect(await world.json("trust --list")).toMatchObject({ files: [{ path: file, state: "trusted" }] });
    expect(await world.json("trust --revoke")).toMatchObject({ revoked: [{ path: file }] });
  });

  it("changes nothing while its own list cannot be read", async () => {
    world.file("toolgate.yaml", wide);
    world.inHome(".local/state/toolgate/trust.json", "{nonsense");
    for (const more of [[], ["--list"], ["--revoke"]]) {
      await refuses(world.run(["trust", ...more]), "cannot be read");
    }
    expect(readFileSync(trustList(), "utf8")).toBe("{nonsense");
  });
});

describe("toolgate trust --revoke", () => {
  it("revokes the files of the project, of a folder, and files that are gone", async () => {
    const one = world.file("one/toolgate.yaml", goodFile);
    world.file("two/toolgate.yaml", goodFile);
    world.file("three/toolgate.yaml", goodFile);
    await world.run("trust --yes one two three");
    rmSync(one);
    expect(await world.run("trust --revoke one/toolgate.yaml")).toMatchObject({
      code: 0,
      out: "one/toolgate.yaml is no longer trusted.\n",
    });
    expect((await world.run("trust --revoke two")).code).toBe(0);
    expect(pins()).toHaveLength(1);
    expect((await world.run("trust --revoke")).code).toBe(0);
    expect(pins()).toEqual([]);
  });

  it("says when there was nothing to revoke", async () => {
    await refuses(world.run("trust --revoke toolgate.yaml"), "Nothing there was trusted");
  });
});
