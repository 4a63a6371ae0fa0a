import { describe, expect, expectTypeOf, it } from "vitest";
import { failed } from "../../../../src/core/call/tool-answer.ts";
import { createGate } from "../../../../src/index.ts";
import { defineBuiltin, pathSynonyms } from "../../../../src/sources/builtin/define-builtin.ts";
import { stopped } from "../stopped.ts";

const input = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    depth: { type: "integer", minimum: 1 },
    note: { type: ["string", "null"] },
  },
  required: ["path"],
  additionalProperties: false,
} as const;

const stat = defineBuiltin("fs.stat", {
  title: "Facts",
  description: "Says what is at a path.",
  input,
  synonyms: { path: pathSynonyms, depth: ["levels"] },
  run: (args) => {
    expectTypeOf(args.path).toEqualTypeOf<string>();
    expectTypeOf(args.depth).toEqualTypeOf<number | undefined>();
    return { ...args };
  },
});

/** A tool that differs from the least one in this. */
const define = (more: object, id = "fs.stat") =>
  defineBuiltin(id, { title: "X", description: "X.", input, run: () => "", ...more });

async function callStat(given: unknown) {
  const gate = await createGate({ tools: [stat], roots: [import.meta.dirname] });
  return gate.dispatch({ tool: "fs.stat", input: given });
}

describe("a built-in tool", () => {
  it("takes category, permission, capabilities and aliases from the list of known tools", () => {
    const read = defineBuiltin("fs.read", { title: "R", description: "Reads.", input, run: () => "" });
    expect(read).toMatchObject({ category: "filesystem", permission: "read", capabilities: ["fs:read"] });
    expect(read.aliases).toContain("read_file");
    expect(read.annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
  });

  it("must be in that list under its id", () => {
    const make = (id: string) => () => define({}, id);
    expect(make("fs.fly")).toThrow("not in the list of known tools");
    expect(make("read_file")).toThrow("not in the list of known tools");
  });

  it("shows models only the fields of its schema", async () => {
    const gate = await createGate({ tools: [stat] });
    expect(gate.tools.definitions()[0]?.inputSchema).toEqual(input);
  });

  it.each(["path", ...pathSynonyms])("takes its path under the name %s", async (name) => {
    expect(await callStat({ [name]: "a.txt" })).toMatchObject({ ok: true, value: { path: "a.txt" } });
  });

  it("takes one value under two names, but not two", async () => {
    expect(await callStat({ path: "a", file_path: "a" })).toMatchObject({ ok: true, value: { path: "a" } });
    const outcome = await callStat({ path: "a", file_path: "b" });
    expect(outcome).toMatchObject(stopped("invalid_input"));
    expect(JSON.stringify(outcome)).toContain("one value for");
  });

  it("refuses fields that it does not know, and says which it does", async () => {
    const outcome = await callStat({ path: "a", paht: "b" });
    expect(outcome).toMatchObject(stopped("invalid_input"));
    expect(!outcome.ok && outcome.error.message).toContain("$.paht: expected no such property (known: path");
  });

  it("names what is wrong under the name that the caller wrote", async () => {
    const outcome = await callStat({ file_path: "a", levels: 0 });
    expect(!outcome.ok && outcome.error.issues).toEqual([
      {
        path: "$.levels",
        expected: "a number >= 1",
        received: "number 0",
        message: "$.levels: expected a number >= 1, received number 0",
      },
    ]);
  });

  it("reads null as a field left out, where the field may be left out", async () => {
    expect(await callStat({ path: "a", depth: null })).toMatchObject({ ok: true, value: { path: "a" } });
    expect(await callStat({ path: "a", note: null })).toMatchObject({ ok: true, value: { note: null } });
    expect(await callStat({ path: null })).toMatchObject(stopped("invalid_input"));
  });

  it.each([[[]], ["a"], [{ __proto__: null }], [{ constructor: "a" }]])("refuses %j", async (given) => {
    expect(await callStat(given)).toMatchObject({ ok: false });
  });

  it("lets policies judge a path under each of its names", async () => {
    const gate = await createGate({ tools: [stat], roots: [import.meta.dirname] });
    for (const name of ["path", ...pathSynonyms]) {
      const outcome = await gate.dispatch({ tool: "fs.stat", input: { [name]: "/etc/passwd" } });
      expect(outcome).toMatchObject(stopped("no_approver"));
    }
  });

  it("does not take a name for a path that routes would not look at", () => {
    expect(() => define({ synonyms: { path: ["where"] } })).toThrow(
      '"where" stands for "path", which is a path',
    );
  });

  it("does not take one name for two fields, nor names for a field that is not there", () => {
    const make = (synonyms: object) => () => define({ synonyms });
    expect(make({ depth: ["note"] })).toThrow('"note" would stand for two fields');
    expect(make({ width: ["w"] })).toThrow('"width", which is not a field');
  });

  it("brings other shapes into its own before it validates them", async () => {
    const tool = defineBuiltin("fs.stat", {
      title: "X",
      description: "X.",
      input,
      adapt: ({ files, ...rest }) => {
        if (files === undefined) return rest;
        return Array.isArray(files) && files.length === 1
          ? { ...rest, path: files[0] ?? "" }
          : "expected one file";
      },
      run: ({ path }) => path,
    });
    const gate = await createGate({ tools: [tool], roots: [import.meta.dirname] });
    const call = (given: unknown) => gate.dispatch({ tool: "fs.stat", input: given });
    expect(await call({ files: ["a"] })).toMatchObject({ ok: true, value: "a" });
    expect(await call({ files: [7] })).toMatchObject(stopped("invalid_input"));
    expect(JSON.stringify(await call({ files: [] }))).toContain("one file");
  });

  it("fails with a message for the model and a code for programs", async () => {
    const tool = define({
      run: () => failed({ code: "not_found", message: "It is gone. List the folder." }),
    });
    const gate = await createGate({ tools: [tool], roots: [import.meta.dirname] });
    expect(await gate.dispatch({ tool: "fs.stat", input: { path: "a" } })).toMatchObject({
      ok: false,
      error: { code: "tool_failed", message: "It is gone. List the folder." },
      result: { structured: { code: "not_found" }, isError: true },
    });
  });
});
