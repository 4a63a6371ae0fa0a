/** One who mends a rule file is told everything that is wrong with it, not only the first kind of mistake. */
import { describe, expect, it } from "vitest";
import { useCliWorld } from "./cli-world.ts";
import { expectEnd, fails, refuses } from "./expect-end.ts";

const world = useCliWorld();

/** A mistake of every kind: a key twice, an unknown key, a changed pattern, rules that do not compile. */
const wrong = `routes:
  unknown-key: {tool: Bash, patern: x, message: m}
  changed: {tool: Bash, pattern: "\\bgit", message: m}
  no-regexp: {tool: Bash, pattern: '(', message: m}
  no-message: {tool: Bash, pattern: y}
  fine: {tool: Bash, pattern: z, message: m}
  fine: {tool: Bash, pattern: zz, message: m}
policies:
  no-action: {tools: Bash}
limits:
  nowhere: {category: no-such-category, per: session, concurrent: 1}
upstreams:
  "A B": {command: x}
`;
const places = [2, 3, 4, 5, 7, 9, 11, 13];

const linesOf = (err: string) => [...err.matchAll(/\.yaml:(\d+)/g)].map((match) => Number(match[1]));

describe("all problems of a file", () => {
  it.each([
    "config validate wrong.yaml",
    "config validate --config wrong.yaml",
    "test wrong.yaml",
    "test --config wrong.yaml",
    "list --config wrong.yaml",
    "explain Bash ls --config wrong.yaml",
  ])("are told at once, in the order of the file, by %j", async (argv) => {
    world.file("wrong.yaml", wrong);
    const { err } = await fails(world.run(argv));
    expect([...new Set(linesOf(err))]).toEqual(places);
  });

  it("are told of a project's file that nobody trusts, without a word of it", async () => {
    world.file("toolgate.yaml", wrong);
    const { err } = await fails(world.run("config validate"));
    // What an untrusted file may not say at all is no problem of the gate.
    expect(linesOf(err)).toEqual(expect.arrayContaining([2, 3, 4, 5, 7, 9, 11]));
    expect(err).not.toContain("patern");
  });

  it("are told of all files, also where one of them could be used", async () => {
    world.configure("routes:\n  mine: {tool: Bash, pattern: '(', message: m}\n");
    world.file("toolgate.yaml", "routes:\n  theirs: {tool: Bash, patern: x}\n");
    const places = [/config\.yaml:2:\d+: route "mine"/, /toolgate\.yaml:2:\d+: /];
    await refuses(world.run("config validate"), ...places);
  });

  it("still stop everything: no rule of such a file is used", async () => {
    world.file("wrong.yaml", wrong);
    await expectEnd(world.run("check Bash z --config wrong.yaml"), { code: 2, err: "wrong.yaml" });
    expect(await world.json("test wrong.yaml", { code: 1 })).toMatchObject({ files: [], passed: 0 });
  });
});
