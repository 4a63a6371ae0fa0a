/** What is written into Kimi Code's settings, and what is wrong with them. */
import { describe, expect, it } from "vitest";
import { kimiSetup } from "../../../../src/agents/kimi/setup.ts";
import { installedInto, installing } from "../installing.ts";

const file = "home/.kimi-code/config.toml";

describe("Kimi Code's set-up", () => {
  it("is four tables with the fields that Kimi Code knows, and is undone to the byte", () => {
    const mine = '# mine\ndefault_model = "x"\n\n[[hooks]]\nevent = "Stop"\ncommand = "say done"\n';
    expect(installedInto(kimiSetup, file, mine)).toBe(
      `${mine}
[[hooks]]
event = "PreToolUse"
command = "HOOK kimi NODE 300 KEY || exit 2"
timeout = 300

[[hooks]]
event = "PostToolUse"
command = "HOOK kimi NODE after:30 KEY"
timeout = 30

[[hooks]]
event = "PostToolUseFailure"
command = "HOOK kimi NODE after:30 KEY"
timeout = 30

[[hooks]]
event = "UserPromptSubmit"
command = "HOOK kimi NODE task:30 KEY"
timeout = 30
`,
    );
  });

  it("is where KIMI_CODE_HOME says", () => {
    const { world, install } = installing(kimiSetup, (here) => ({
      KIMI_CODE_HOME: here.path("home/elsewhere"),
    }));
    expect(install()).toMatchObject({ ok: true });
    expect(world.read("home/elsewhere/config.toml")).toContain("HOOK kimi");
  });

  it("has no place in a project", () => {
    const { install } = installing(kimiSetup);
    expect(install({ scope: "project" })).toMatchObject({ ok: false });
  });

  it.for([
    ["a field that it does not know", 'event = "Stop"\ncommand = "x"\nfail_mode = "closed"\n', "fail_mode"],
    ["an event that it does not know", 'event = "Bogus"\ncommand = "x"\n', "Bogus"],
    ["a time-out that is too long", 'event = "Stop"\ncommand = "x"\ntimeout = 700\n', "600"],
    ["no command", 'event = "Stop"\n', "no command"],
  ] as const)("is ignored by Kimi Code where some hook has %s, and doctor says so", ([, table, why]) => {
    const { world, install, findings } = installing(kimiSetup);
    world.write(file, `[[hooks]]\n${table}`);
    install();
    const found = findings().find(({ check }) => check === "hooks-shape");
    expect(found).toMatchObject({ level: "problem", message: expect.stringContaining(why) });
  });
});
