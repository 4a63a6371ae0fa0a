import { describe, expect, it } from "vitest";
import { type RoleIndex, type RoleName, readRoles, rolesOf } from "../../../../src/core/input/input-roles.ts";
import { readField } from "../../../../src/core/input/read-field.ts";

const conventional = rolesOf({});

function valuesInRole(index: RoleIndex, role: RoleName, input: unknown): readonly string[] {
  return readRoles(index, input)?.[role] ?? [];
}

describe("the roles of an input", () => {
  it.each([
    ["command", { cmd: "ls" }, ["ls"]],
    ["command", { command: ["bash", "-lc", "ls -l"] }, ["bash -lc 'ls -l'"]],
    ["command", { command: ["echo", "it's"] }, ["echo 'it'\\''s'"]],
    ["command", { commands: ["ls", "pwd"] }, ["ls", "pwd"]],
    ["path", { file_path: "a", destination: "b" }, ["a", "b"]],
    ["path", { paths: ["a", "b"] }, ["a", "b"]],
    ["path", { files: [{ path: "a" }, { path: "b" }] }, ["a", "b"]],
    ["path", { files: ["a", "b"] }, ["a", "b"]],
    ["url", { uri: "https://a.example" }, ["https://a.example"]],
    ["content", { new_string: "x", content: "y" }, ["x", "y"]],
    ["path", { args: { path: "a" } }, ["a"]],
    ["path", { edits: [{ where: { file_path: "a" } }, { paths: ["b", "c"] }] }, ["a", "b", "c"]],
    ["path", { paths: [["a"], "b"] }, ["a", "b"]],
    ["path", { file: { path: "a" } }, ["a"]],
    ["url", { request: { url: "https://a.example" } }, ["https://a.example"]],
    ["command", { step: { command: ["ls", "my file"] } }, ["ls 'my file'"]],
    ["command", { step: { commands: ["ls", ["rm", "x y"]] } }, ["ls", "rm 'x y'"]],
    ["content", { content: [{ type: "text", text: "x" }] }, ["x"]],
    ["command", { CommandLine: "ls" }, ["ls"]],
    ["command", { argv: ["ls", "my file"] }, ["ls 'my file'"]],
    ["command", { shell_commands: ["ls", "pwd"] }, ["ls", "pwd"]],
    ["command", { command: "rm", args: ["-rf", "my file"] }, ["rm", "rm -rf 'my file'"]],
    ["command", { job: { start_cmd: "rm", arguments: "-rf x" } }, ["rm", "rm -rf x"]],
    ["command", { command: "rm", args: { path: "a" } }, ["rm"]],
  ] as const)("find the %s in %j", (role, input, expected) => {
    expect(valuesInRole(conventional, role, input)).toEqual(expected);
  });

  it("count arguments of a command that nobody can read as a command that nobody can read", () => {
    expect(readRoles(conventional, { command: "rm", args: [{ id: 7 }] })?.unreadable).toEqual(["command"]);
  });

  it.each([
    ...["command_to_run", "commandToRun", "commandtorun", "exec_args", "invocation", "cli", "cmdline"],
    ...["command1"],
    ...["CMD", "SHELL_COMMAND", "cmd-2", "bash_input", "BashCommandText", "terminal_input", "shellInput"],
    ...["script_body", "inlineScript", "setup_script", "pre_install_script", "execLine", "cliArgs"],
    ...["run_shell"],
    ...["execute_shell", "user command", "command.text", "pwshLine", "post_command_hook"],
  ])("take %s for a command", (name) => {
    expect(valuesInRole(conventional, "command", { [name]: "ls -l" })).toEqual(["ls -l"]);
    expect(valuesInRole(conventional, "command", { deep: [{ [name]: "ls -l" }] })).toEqual(["ls -l"]);
  });

  it.each(["commands_to_run", "command_list", "cmdlines", "scripts_to_run", "batchCommands", "invocations"])(
    "take each text of a list in %s for a command of its own",
    (name) => {
      expect(valuesInRole(conventional, "command", { [name]: ["ls", "rm x"] })).toEqual(["ls", "rm x"]);
    },
  );

  it.each([
    ...["commandId", "recommended", "shell", "shell_type", "terminalId", "terminal", "console"],
    ...["script_path"],
    ...["scriptName", "command_timeout", "exec_mode", "cli_version", "commandOutput", "javaScript"],
    ...["typescript"],
    ...["transcript", "client", "click", "execution", "executable", "invocationId", "command_history"],
    ...["subscription", "commander", "shellfish", "bash_path", "args", "description", "code"],
    "x".repeat(70).concat("command"),
  ])("take %s for no command", (name) => {
    expect(valuesInRole(conventional, "command", { [name]: "ls" })).toEqual([]);
  });

  it("are none for an input without such fields or without fields", () => {
    for (const input of [{ q: "x" }, { q: { r: ["x", { s: 1 }] } }, {}, [], "path", null, 7, undefined])
      expect(readRoles(conventional, input)).toBeUndefined();
  });

  it("read own properties only", () => {
    expect(readRoles(conventional, Object.create({ path: "/etc/passwd" }))).toBeUndefined();
    expect(readField(JSON.parse('{"__proto__": {"path": "x"}}'), "path")).toBeUndefined();
    expect(readField({}, "constructor.name")).toBeUndefined();
  });

  it("are only those a tool states, if it states them", () => {
    const stated = rolesOf({ roles: { path: ["where"] } });
    const none = { command: [], url: [], content: [], unreadable: [] };
    expect(readRoles(stated, { where: "a", path: "b", command: "ls" })).toEqual({ ...none, path: ["a"] });
  });

  it("are looked for in the input of something else where a tool says that it passes one on", () => {
    const passesOn = rolesOf({ roles: { arguments: ["arguments"] } });
    const input = { path: "not one", arguments: { path: "a", more: { cmd: "ls" } } };
    expect(readRoles(passesOn, input)).toMatchObject({ path: ["a"], command: ["ls"], unreadable: [] });
    expect(readRoles(passesOn, { arguments: '{"path":"a"}' })?.unreadable).toContain("command");
    expect(readRoles(passesOn, { path: "not one" })).toBeUndefined();
  });

  it.each([
    ["a path", "path", { options: { path: { id: "a" } } }],
    ["a path", "path", { options: { paths: [7] } }],
    ["a URL", "url", { options: { urls: [{ id: "a" }] } }],
  ] as const)(
    "do not count %s that is not text as nothing, however deep (%s in %j)",
    (_what, role, input) => {
      expect(readRoles(conventional, input)?.unreadable).toEqual([role]);
    },
  );

  it("say that anything may be meant where an input is too deep or too large to be read", () => {
    const deep = (levels: number): object => (levels === 0 ? { path: "a" } : { in: deep(levels - 1) });
    const wide = (length: number) => ({ all: Array.from({ length }, (_, at) => ({ at })), in: deep(0) });
    for (const input of [deep(10), wide(1_000)])
      expect(readRoles(conventional, input)).toMatchObject({ path: ["a"], unreadable: [] });
    for (const input of [deep(1_000), wide(100_000)])
      expect(readRoles(conventional, input)?.unreadable).toEqual(["path", "url", "command"]);
  });

  it("cost nothing for a long list of numbers", () => {
    const vectors = Array.from({ length: 5_000 }, () => Array.from({ length: 100 }, () => 0.5));
    expect(readRoles(conventional, { vectors })).toBeUndefined();
  });

  it("hold no paths for a tool that says it touches no files", () => {
    const paths = (...capabilities: string[]) =>
      valuesInRole(rolesOf({ capabilities }), "path", { path: "a" });
    expect(paths("net:fetch")).toEqual([]);
    expect(paths("net:fetch", "fs:read")).toEqual(["a"]);
    expect(paths("*")).toEqual(["a"]);
  });
});

describe("a field", () => {
  const input = { a: { b: [{ c: 1 }, { c: 2 }, {}] }, "x.y": "dotted", list: ["p", "q"] };

  it.each([
    ["a.b[].c", [1, 2]],
    ["x.y", "dotted"],
    ["list[]", ["p", "q"]],
    ["a.b", [{ c: 1 }, { c: 2 }, {}]],
    ["a.z", undefined],
    ["list[].c", undefined],
  ])("%j is read as %j", (field, expected) => {
    expect(readField(input, field)).toEqual(expected);
  });
});
