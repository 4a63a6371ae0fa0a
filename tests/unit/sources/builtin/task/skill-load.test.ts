import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseSkill } from "../../../../../src/sources/builtin/task/skill/front-matter.ts";
import { createSkillLoad } from "../../../../../src/sources/builtin/task/skill-load.ts";
import { words } from "../../../../words.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { describeInput } from "../describe-input.ts";
import { taskGate } from "./task-gate.ts";

const deploy = "---\nname: deploy\ndescription: Ships the thing.\n---\n\n1. Build.\n2. Ship.\n";

function folder(files: Readonly<Record<string, string>>): string {
  const base = temporaryFolder("skills");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  }
  return base;
}

describeInput("skill.load", () => createSkillLoad({ skillFolders: [import.meta.dirname] }), {
  good: {},
  bad: [{ name: "" }, { name: 7 }, { name: "a", skill: "b" }],
});

describe("skill.load", () => {
  it("lists skills with what they are for, and what is wrong with others", async () => {
    const one = folder({
      "deploy/SKILL.md": deploy,
      "broken/SKILL.md": "no header",
      "empty/readme.md": "",
      "file.md": "",
    });
    const { say } = await taskGate({ skillFolders: [one, join(one, "missing")] });
    const said = await say("skill.load");
    expect(said).toBe(
      'deploy: Ships the thing.\n[not usable: broken: it must begin with "---", `name`, `description`, "---"]\n' +
        "[not usable: skill folder 2 is not there or cannot be read]",
    );
  });

  it("loads the instructions, names the other files and reads them", async () => {
    const one = folder({
      "deploy/SKILL.md": deploy,
      "deploy/docs/steps.md": "more\u202e",
      "deploy/.env": "KEY=1",
    });
    const { say } = await taskGate({ skillFolders: [one] });
    expect(await say("skill.load", { name: "deploy", args: "staging" })).toBe(
      "# deploy\nShips the thing.\n\n1. Build.\n2. Ship.\n\n[To be used for: staging]\n\n[Other files of this skill: docs/steps.md]",
    );
    expect(await say("skill.load", { name: "deploy", file: "docs/steps.md" })).toBe("more\\u{202E}");
    expect(await say("skill.load", { name: "deploy", file: ".env" })).toMatch(/^protected /);
  });

  it("takes the first folder's skill of two with one name", async () => {
    const mine = folder({ "deploy/SKILL.md": deploy });
    const theirs = folder({ "deploy/SKILL.md": deploy.replace("thing", "other thing") });
    const { say } = await taskGate({ skillFolders: [mine, theirs] });
    expect(await say("skill.load", { name: "deploy" })).toContain("Ships the thing.");
    expect((await say("skill.load")).split("\n")).toHaveLength(1);
  });

  it.each(
    words(`
    ../deploy a/../deploy /etc/x .. . deploy/../deploy deploy\\x dep\u0000loy con:x %2e%2e
  `),
  )("finds nothing under %j", async (name) => {
    const one = folder({ "deploy/SKILL.md": deploy });
    const { say } = await taskGate({ skillFolders: [one] });
    expect(await say("skill.load", { name })).toMatch(/^not_found .*Skills: deploy\.$/);
    expect(await say("skill.load", { name, file: "x" })).toMatch(/^invalid_path /);
  });

  it.each(["../other/SKILL.md", "/etc/passwd", "docs/../../other/SKILL.md", "..\\other\\SKILL.md", "C:/x"])(
    "reads no file %j",
    async (file) => {
      const one = folder({ "deploy/SKILL.md": deploy, "other/SKILL.md": deploy });
      const { say } = await taskGate({ skillFolders: [one] });
      expect(await say("skill.load", { name: "deploy", file })).toMatch(/^invalid_path /);
    },
  );

  it("follows no link out of its folder", async () => {
    const outside = folder({ "evil/SKILL.md": deploy, "secret.txt": "top secret" });
    const one = folder({ "deploy/SKILL.md": deploy });
    symlinkSync(join(outside, "evil"), join(one, "evil"));
    symlinkSync(join(outside, "secret.txt"), join(one, "deploy/secret.txt"));
    const { say } = await taskGate({ skillFolders: [one] });
    expect(await say("skill.load", { name: "evil" })).toMatch(/^bad_skill .*outside/);
    expect(await say("skill.load", { name: "deploy", file: "secret.txt" })).toMatch(/^outside_root /);
    expect(await say("skill.load")).toBe("deploy: Ships the thing.");
  });

  it("says that none are configured", async () => {
    const { say } = await taskGate();
    expect(await say("skill.load", { name: "deploy" })).toMatch(/^no_skills /);
  });

  it.each([
    ["use_skill", { skill_name: "deploy" }],
    ["skill", { name: "deploy" }],
    ["skills", { skill: "deploy", args: "x" }],
    ["activate_skill", { name: "deploy" }],
    ["run_slash_command", { command: "/deploy", args: "x" }],
    ["Skill", { skill: "deploy", args: "x" }],
  ])("loads a skill as %s names it", async (name, input) => {
    const { say } = await taskGate({ skillFolders: [folder({ "deploy/SKILL.md": deploy })] });
    expect(await say(name, input)).toContain("1. Build.");
  });
});

describe("the first lines of a skill", () => {
  it("are read with any line ending, and what is hidden in them is shown", () => {
    const source =
      "\uFEFF---\r\nname: x\r\ndescription: >\r\n  Does\r\n  \u200bthings.\r\n---\r\nBody\u{E0041}\r\n";
    expect(parseSkill(source)).toEqual({
      name: "x",
      description: "Does \\u{200B}things.",
      body: "Body\\u{E0041}",
    });
  });

  it.each([
    ["---\nname: x\n---\n", "no description"],
    ["---\ndescription: 7\n---\n", "no description"],
    ["---\n- a\n---\n", "must name"],
    ["---\na: [\n---\n", "not YAML"],
    [`---\n${"x: 1\n".repeat(10_000)}---\n`, "must begin"],
    ["---\na: &a [x, x]\nb: *a\ndescription: d\n---\n", "not YAML"],
  ])("are refused when they say %j", (source, why) => {
    expect(parseSkill(source)).toContain(why);
  });
});
