/** What is written into droid's files, and what is wrong with them. */
import { describe, expect, it } from "vitest";
import { droidSetup } from "../../../../src/agents/droid/setup.ts";
import { installedInto, installing } from "../installing.ts";

const settings = "home/.factory/settings.json";
const hooks = "home/.factory/hooks.json";

const entry = (end: string, timeout: number) => [
  { type: "command", command: `HOOK droid NODE ${end}`, timeout },
];
const ours = {
  PreToolUse: [{ matcher: "*", hooks: entry("300 KEY || exit 2", 300) }],
  PostToolUse: [{ matcher: "*", hooks: entry("after:30 KEY", 30) }],
  UserPromptSubmit: [{ hooks: entry("task:30 KEY", 30) }],
};
const theirs = [{ matcher: "Edit", hooks: [{ type: "command", command: "./mine.sh" }] }];

describe("droid's set-up", () => {
  it("is in settings.json where there is no other file, and is undone to the byte", () => {
    const text = installedInto(droidSetup, settings, '{\n  // mine\n  "model": "x"\n}\n');
    expect(JSON.parse(text.replace("// mine", ""))).toEqual({ model: "x", hooks: ours });
  });

  it.for([hooks, "home/.factory/hooks/hooks.json"])(
    "goes into %s for an event that stands there: droid looks nowhere else for it",
    (file) => {
      const { world, install, uninstall, examine } = installing(droidSetup);
      const before = { [settings]: { hooks: { PostToolUse: theirs } }, [file]: { PreToolUse: theirs } };
      for (const [name, value] of Object.entries(before)) world.write(name, JSON.stringify(value));
      expect(install()).toMatchObject({ ok: true });
      expect(JSON.parse(world.read(file))).toEqual({ PreToolUse: [...theirs, ...ours.PreToolUse] });
      const { PostToolUse, UserPromptSubmit } = ours;
      const there = { PostToolUse: [...theirs, ...PostToolUse], UserPromptSubmit };
      expect(JSON.parse(world.read(settings))).toEqual({ hooks: there });
      expect(examine()).toEqual([["hooks-installed", "ok"]]);
      expect(uninstall()).toMatchObject({ ok: true });
      for (const [name, value] of Object.entries(before)) expect(JSON.parse(world.read(name))).toEqual(value);
    },
  );

  it("moves when hooks.json takes an event over, and until then doctor says that nobody asks", () => {
    const { world, install, findings, examine } = installing(droidSetup);
    install();
    world.write(hooks, JSON.stringify({ PreToolUse: theirs }));
    expect(findings().some(({ level }) => level === "problem")).toBe(true);
    expect(install()).toMatchObject({ ok: true });
    expect(JSON.parse(world.read(hooks))).toEqual({ PreToolUse: [...theirs, ...ours.PreToolUse] });
    expect(JSON.parse(world.read(settings)).hooks).not.toHaveProperty("PreToolUse");
    expect(examine()).toEqual([["hooks-installed", "ok"]]);
  });

  it("is in the project's folder for everybody's sessions there", () => {
    const { world, install } = installing(droidSetup);
    expect(install({ scope: "project" })).toMatchObject({ ok: true });
    expect(JSON.parse(world.read("project/.factory/settings.json"))).toHaveProperty("hooks.PreToolUse");
  });

  it.for([
    ["home/.factory/settings.json", { hooks: { hooksDisabled: true } }],
    ["project/.factory/settings.json", { hooks: { hooksDisabled: true } }],
    ["project/.factory/hooks.json", { hooksDisabled: true }],
  ] as const)("is switched off by %s, and doctor says so", ([file, value]) => {
    const { world, install, examine } = installing(droidSetup);
    world.write(file, JSON.stringify(value));
    install();
    expect(examine()).toContainEqual(["hooks-off", "problem"]);
  });

  it.for([
    ["a time-out that is text", [{ hooks: [{ type: "command", command: "x", timeout: "20" }] }]],
    ["a matcher that is no text", [{ matcher: 3, hooks: [] }]],
    ["an unknown type", [{ hooks: [{ type: "http", url: "x" }] }]],
    ["no list of hooks", [{ matcher: "*" }]],
  ] as const)("is ignored by droid beside %s, and doctor says so", ([, groups]) => {
    const { world, install, examine } = installing(droidSetup);
    world.write(settings, JSON.stringify({ hooks: { Stop: groups } }));
    install();
    expect(examine()).toContainEqual(["hooks-shape", "problem"]);
  });
});
