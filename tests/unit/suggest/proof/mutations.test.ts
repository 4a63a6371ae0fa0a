import { describe, expect, it } from "vitest";
import { mutate } from "../../../../src/suggest/proof/mutations.ts";

describe("mutations", () => {
  it("change the field that holds the command, path or address, or add a field, and nothing else", () => {
    const found = mutate({ input: { command: "npm test", note: "x" }, command: "npm test" });
    expect(found.length).toBeGreaterThan(60);
    expect(found.every(({ input }) => input.note === "x")).toBe(true);
    expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
    expect(new Set(found.map(({ input }) => JSON.stringify(input))).size).toBe(found.length);
    const added = found.filter(({ input }) => input.command === "npm test");
    expect(added.map(({ input }) => Object.keys(input)[2])).toEqual(
      expect.arrayContaining(["method", "body", "headers", "cwd", "env", "edits", "files", "extra"]),
    );
    expect(mutate({ input: { command: "x", cwd: "a" }, command: "x" }).map(({ name }) => name)).not.toContain(
      "another folder beside it",
    );
  });

  it("take away what held a command back, and leave what is only printed", () => {
    const line = "prettier --check src";
    const without = (command: string) =>
      mutate({ input: { command }, command }).flatMap(({ name, input }) =>
        name.startsWith("without") ? [input.command] : [],
      );
    expect(without(line)).toEqual(["prettier src"]);
    expect(without("npm test --silent")).toEqual([]);
    expect(without("git commit -a -m one")).toEqual(["git commit -m one", "git commit -a"]);
  });

  it("feed something in, take names that the floor keeps back, and other owners", () => {
    const names = (call: Parameters<typeof mutate>[0]) => mutate(call).map(({ name }) => name);
    const command = "psql shop";
    expect(names({ input: { command }, command })).toEqual(
      expect.arrayContaining(["a here-string", "a here-document", "a pipe into it", "input from a file"]),
    );
    const path = "src/a.ts";
    expect(names({ input: { path }, path })).toEqual(
      expect.arrayContaining(["settings of a tool", "what agents obey", "code of others", "a hidden name"]),
    );
    const url = "https://github.com/nodejs/node/issues/1";
    expect(mutate({ input: { url }, url }).find(({ name }) => name === "another owner")?.input.url).toBe(
      "https://github.com/evil/node/issues/1",
    );
  });

  it("look like the call, and are another one", () => {
    const of = (name: string, call: Parameters<typeof mutate>[0]) =>
      mutate(call).find((one) => one.name === name)?.input;
    const npm = { input: { command: "npm test" }, command: "npm test" };
    expect(of("another command", npm)).toEqual({ command: "npm test; rm -rf x" });
    expect(of("a program that looks alike", npm)?.command).not.toMatch(/^[\x20-\x7e]*$/);
    expect(of("a path above", { input: { path: "src/a.ts" }, path: "src/a.ts" })?.path).toContain("../");
    const page = { input: { url: "https://a.example/x" }, url: "https://a.example/x" };
    expect(of("another host behind it", page)).toEqual({ url: "https://a.example.evil.example/x" });
  });

  it("are other arguments for a call without any of them", () => {
    const found = mutate({ input: { id: 1, name: "a" } });
    expect(found.slice(0, 4).map(({ input }) => Object.keys(input))).toEqual([
      ["id", "name", "extra"],
      ["id", "name", "command"],
      ["id", "name", "path"],
      ["name"],
    ]);
    expect(found.every(({ input }) => JSON.stringify(input) !== '{"id":1,"name":"a"}')).toBe(true);
  });

  it("are none where the text stands deeper in the input", () => {
    expect(mutate({ input: { lines: ["npm test"] }, command: "npm test" })).toEqual([]);
  });
});
