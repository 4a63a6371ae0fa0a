import { describe, expect, it } from "vitest";
import { ToolgateError } from "../../../../src/core/call/errors.ts";
import { readCheckArgs } from "../../../../src/surfaces/cli/commands/check/check-args.ts";
import { describeError } from "../../../../src/surfaces/cli/main.ts";
import { goodFile, useCliWorld } from "./cli-world.ts";
import { expectEnd, fails, refuses, says, wordsOf } from "./expect-end.ts";

const world = useCliWorld(() => {}, "file");

describe("the command line", () => {
  it.for(["", "--help", "-h", "help"])("prints what there is for %j", async (line) => {
    const out = ["Usage: toolgate [options] [command]", "First steps:"];
    await expectEnd(world.run(line), { out, err: "" });
  });

  it.for(["config", "config --help", "help config"])(
    "prints what a group of commands holds for %j",
    async (line) => {
      await says(world.run(line), "show", "validate", "path");
    },
  );

  it("prints the package's version", async () => {
    await says(world.run("--version"), /^\d+\.\d+\.\d+\S*\n$/);
  });

  it("shows two examples of check with what they print", async () => {
    const { out } = await says(world.run("check --help"), "exit 2", "exit 0");
    expect(out.match(/^ {2}\$ echo/gm)).toHaveLength(2);
  });

  it.each([
    ["tset", "Did you mean test?"],
    ["tset --help", "Did you mean test?"],
    ["help lst", "Did you mean list?"],
    ["config shwo", "Did you mean show?"],
    ["list --jsno", "Did you mean --json?"],
    ["trust --revok", "Did you mean --revoke?"],
    ["nothing-like-it", "unknown command"],
    ["list extra", "too many arguments"],
    ["convert", "missing required argument"],
    ["install", "Name one or more agents"],
    ["list --config", "argument missing"],
    ["explain --as tool", "Allowed choices are check, call"],
    ["--config x.yaml convert y.json", "toolgate convert takes no --config"],
    ["--json convert y.json", "toolgate convert takes no --json"],
    ["approvals --enable-tools", "toolgate approvals takes no --enable-tools"],
    ["--enable-tools list", "toolgate list takes no --enable-tools"],
    ["tools --enable-tool-categories web reload", "toolgate tools reload takes no --enable-tool-categories"],
  ])("refuses %j on standard error with exit 1", async (line, message) => {
    await refuses(world.run(line), message);
  });

  it.each([
    ["tset", "toolgate"],
    ["--jsno", "toolgate"],
    ["list --jsno", "toolgate list"],
    ["config shwo", "toolgate config"],
    ["audit verify --flie x", "toolgate audit verify"],
    ["audit show", "toolgate audit show"],
    ["audit tail --verdict maybe", "toolgate audit tail"],
    ["--config x.yaml tokens list", "toolgate tokens list"],
  ])("says after the message of %j where the help of %s is", async (argv, command) => {
    const { err } = await fails(world.run(argv));
    expect(err.trimEnd().split("\n").at(-1)).toBe(`Run ${command} --help for what there is.`);
  });

  it.each(["check --agnet x", "check extra", "check --agent other", "--json check"])(
    "blocks when %j cannot be understood: agents let a call pass on any exit code but 2",
    async (argv) => {
      const { err } = await expectEnd(world.run(argv, { stdin: "{}" }), { code: 2, out: "" });
      expect(err).not.toBe("");
    },
  );

  it("takes --config and --json before and after the command", async () => {
    const file = world.file("alone.yaml", goodFile);
    const after = await world.run(["list", "--config", file, "--json"]);
    const before = await world.run(["--config", file, "--json", "list"]);
    expect(after.code).toBe(0);
    expect(before).toEqual(after);
    expect(JSON.parse(after.out).routes).toMatchObject([{ name: "no-force-push" }]);
  });

  it("takes what says which tools are on before the command, between its words and after it", async () => {
    const flags = ["--no-enable-tools", "--enable-tool-categories", "workspace", "--json"];
    const after = await world.run(["tools", "list", ...flags]);
    expect(JSON.parse(after.out).tools).toMatchObject([{ id: "workspace.info" }]);
    expect(await world.run([...flags, "tools", "list"])).toEqual(after);
    expect(await world.run(["tools", ...flags, "list"])).toEqual(after);
    // The nearest word counts.
    expect(await world.run(["--enable-tools", "tools", ...flags, "list"])).toEqual(after);
  });
});

describe("an error that nobody expected", () => {
  it("is one message without a stack trace", () => {
    const told = describeError(new TypeError("x is not a function"), { env: {} });
    expect(told).toContain("x is not a function");
    expect(told).toContain("TOOLGATE_DEBUG=1");
    expect(told).not.toContain("    at ");
  });

  it("shows the stack trace with TOOLGATE_DEBUG=1", () => {
    expect(describeError(new TypeError("x"), { env: { TOOLGATE_DEBUG: "1" } })).toContain("    at ");
  });

  it("says plainly what the system or the user did wrong, with nothing hidden in it", () => {
    expect(describeError(new ToolgateError("no\u001b[31m"), { env: {} })).toBe("toolgate: no\\u{1B}[31m\n");
    const full = Object.assign(new Error("ENOSPC: no space left"), { syscall: "write" });
    expect(describeError(full, { env: {} })).toBe("toolgate: ENOSPC: no space left\n");
  });
});

describe("the arguments of check, read without the full program", () => {
  it.each([
    ["", {}],
    ["--agent claude-code", { agent: "claude-code" }],
    ["--agent=claude-code --config 'a b.yaml'", { agent: "claude-code", config: "a b.yaml" }],
    ["--config=", { config: "" }],
  ])("takes %j", (argv, found) => expect(readCheckArgs(wordsOf(argv))).toEqual(found));

  it.each(["--help", "-h", "--agent", "--agnet x", "extra", "--agents=x", "--config a --"])(
    "leaves %j to the full program",
    (line) => expect(readCheckArgs(wordsOf(line))).toBeUndefined(),
  );
});

describe("the command line, started by another name", () => {
  const script = "/opt/toolgate/dist/cli.js";
  const own = `node ${script}`;

  it.each([
    ["help", "--help", `${own} init --user`],
    ["examples", "list --help", `$ ${own} list`],
    ["a wrong option", "list --nope", `Run ${own} list --help`],
    ["a refusal", "grants revoke", `${own} grants revoke ID`],
    ["an error", "upstreams review none", `${own} upstreams add`],
    ["a hint", "tokens list", `${own} tokens create NAME`],
  ])("names commands as they have to be typed: %s", async (_what, argv, expected) => {
    const { out, err } = await world.run(argv, { script });
    expect(out + err).toContain(expected);
  });

  it("changes nothing in what programs and models read", async () => {
    for (const argv of ["check --nope", "approvals approve none --json"])
      expect(await world.run(argv, { script })).toEqual(await world.run(argv));
  });
});
