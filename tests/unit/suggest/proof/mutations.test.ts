import { describe, expect, it } from "vitest";
import { mutate } from "../../../../src/suggest/proof/mutations.ts";

describe("mutations", () => {
  it("change the field that holds the command, path or address, and nothing else", () => {
    const found = mutate({ input: { command: "npm test", note: "x" }, command: "npm test" });
    expect(found.length).toBeGreaterThan(50);
    expect(found.every(({ input }) => input.note === "x" && input.command !== "npm test")).toBe(true);
    expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
    expect(new Set(found.map(({ input }) => input.command)).size).toBe(found.length);
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
