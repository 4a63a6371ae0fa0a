import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeNotes } from "../../../../../src/surfaces/cli/open/effective-config.ts";
import { createProgram } from "../../../../../src/surfaces/cli/program/program.ts";
import { createAwaited } from "../../../../../src/surfaces/cli/terminal/awaited.ts";
import { asTyped, commandNames, ownCommand } from "../../../../../src/surfaces/cli/terminal/own-command.ts";
import type { SessionStreamEvent } from "../../../../../src/surfaces/rest/contract.ts";

let root: string;
let program: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "own command-")));
  program = join(root, "lib/node_modules/toolgate/dist/cli.js");
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, "");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A link to the program, as npm makes it. */
function link(folder: string): string {
  const file = join(root, folder, "toolgate");
  mkdirSync(dirname(file), { recursive: true });
  symlinkSync(program, file);
  return file;
}

describe("the command that starts this toolgate again", () => {
  it("is its name, where the shell finds this very program by it", () => {
    const script = link("bin");
    const env = { PATH: `/usr/bin:${dirname(script)}` };
    expect(ownCommand({ script, env, cwd: root })).toBe("toolgate");
    // Whichever way it was started.
    expect(ownCommand({ script: program, env, cwd: root })).toBe("toolgate");
  });

  it("goes by npx in a project that has it as a dependency, and below", () => {
    const script = link("project/node_modules/.bin");
    const below = join(root, "project/src");
    mkdirSync(below);
    const env = { PATH: "/usr/bin" };
    expect(ownCommand({ script, env, cwd: join(root, "project") })).toBe("npx toolgate");
    expect(ownCommand({ script, env, cwd: below })).toBe("npx toolgate");
  });

  it("goes by npx when npm started it: the person's shell does not have npm's PATH", () => {
    const script = link("project/node_modules/.bin");
    const env = { PATH: dirname(script), npm_command: "exec" };
    expect(ownCommand({ script, env, cwd: join(root, "project") })).toBe("npx toolgate");
    const fetched = join(root, ".npm/_npx/0f/node_modules/toolgate/dist/cli.js");
    mkdirSync(dirname(fetched), { recursive: true });
    writeFileSync(fetched, "");
    expect(ownCommand({ script: fetched, env, cwd: root })).toBe("npx toolgate");
  });

  it("is the whole path where no name leads to it, in quotes if need be", () => {
    const env = { PATH: join(root, "bin") };
    expect(ownCommand({ script: program, env, cwd: "/" })).toBe(`node '${program}'`);
    // Another toolgate of that name is not this one.
    writeFileSync(join(dirname(link("bin")), "other"), "");
    rmSync(join(root, "bin/toolgate"));
    writeFileSync(join(root, "bin/toolgate"), "");
    expect(ownCommand({ script: program, env, cwd: "/" })).toBe(`node '${program}'`);
  });

  it("is the path by which it was started, where that is enough", () => {
    const script = link("project/node_modules/.bin");
    expect(ownCommand({ script, env: { PATH: "/usr/bin" }, cwd: "/" })).toBe(`'${script}'`);
  });

  it("is the name where nobody knows how it was started", () => {
    expect(ownCommand({ env: {}, cwd: root })).toBe("toolgate");
  });
});

describe("a text for a person", () => {
  const typed = (text: string) => {
    const script = link("project/node_modules/.bin");
    return asTyped(text, { script, env: { PATH: "/usr/bin" }, cwd: join(root, "project") });
  };

  it.each([
    ["Look at it, then run: toolgate trust a.yaml", "Look at it, then run: npx toolgate trust a.yaml"],
    ["toolgate grants list shows them.", "npx toolgate grants list shows them."],
    ["Run `toolgate test` (toolgate trust).", "Run `npx toolgate test` (npx toolgate trust)."],
    ["claude mcp add toolgate -- toolgate mcp", "claude mcp add toolgate -- npx toolgate mcp"],
  ])("has its commands as they have to be typed: %s", (text, expected) => {
    expect(typed(text)).toBe(expected);
  });

  it.each([
    "npx toolgate trust",
    "/usr/bin/toolgate check",
    'the hook is "toolgate check"',
    "Claude Code asks toolgate before each call, and toolgate tests it.",
    "toolgate: There is no such file: toolgate list-of-things",
    "Usage: toolgate list [options]",
  ])("stays as it is where that is no command to type: %s", (text) => {
    expect(typed(text)).toBe(text);
  });

  it("stays as it is where toolgate is in the PATH", () => {
    const script = link("bin");
    const text = "Run: toolgate trust";
    expect(asTyped(text, { script, env: { PATH: dirname(script) }, cwd: root })).toBe(text);
  });

  it("is in notes of ours and in what a session waits for", () => {
    const io = {
      readStdin: async () => "",
      out: () => {},
      err: () => {},
      env: { PATH: "" },
      cwd: "/",
      isTerminal: false,
      signal: new AbortController().signal,
      script: program,
    };
    const own = `node '${program}'`;
    const note = "Two are hidden until accepted: toolgate upstreams review shop";
    expect(describeNotes([note], io)).toBe(
      `note: Two are hidden until accepted: ${own} upstreams review shop\n`,
    );
    // Somebody else's words.
    expect(describeNotes([note])).toBe(`note: ${note}\n`);
    const waits = createAwaited(false, io).after({
      kind: "session",
      data: { state: "waiting", runner: "chat" },
    } as SessionStreamEvent);
    expect(waits).toBe(`a person's answer (${own} approvals)`);
  });

  it("has every command that there is", () => {
    const unused = () => {};
    const { signal } = new AbortController();
    const io = {
      readStdin: async () => "",
      out: unused,
      err: unused,
      env: {},
      cwd: "/",
      isTerminal: false,
      signal,
    };
    const names = createProgram(io, unused).commands.map((command) => command.name());
    expect(commandNames.split(" ").sort()).toEqual(names.sort());
  });
});
