/** The help of every command is written by the same rules. */
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../../../src/surfaces/cli/program/program.ts";

const io = {
  readStdin: async () => "",
  out: () => {},
  err: () => {},
  env: {},
  cwd: "/",
  isTerminal: false,
  signal: new AbortController().signal,
};
const commands = createProgram(io, () => {}).commands.flatMap((command) => [command, ...command.commands]);
const all = commands.map((command) => [command.name(), command] as const);

describe("the help of every command", () => {
  it.each(all)("%s: says no word twice, and speaks of callers and not of principals", (_name, command) => {
    for (const text of textsOf(command)) {
      expect(text).not.toMatch(/\b(\w+) \1\b/);
      expect(text).not.toMatch(/principal|narrow/i);
    }
  });

  it.each(all)("%s: has a summary without a full stop, and sentences elsewhere", (_name, command) => {
    expect(command.summary()).toMatch(/^[a-z].*[^.]$/);
    expect(command.description()).toMatch(/^[A-Z].*\.$/s);
    for (const { flags, description } of command.options) expect(description, flags).toMatch(/^[A-Z].*\.+$/);
  });
});

function textsOf(command: Command): string[] {
  const parameters = [...command.options, ...command.registeredArguments];
  return [
    command.summary(),
    command.description(),
    ...parameters.map(({ description }) => description ?? ""),
  ];
}
