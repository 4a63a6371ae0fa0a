/** A server behind the gate is no way around the rules about files: what its tools call `path` is judged as a path. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UpstreamWorld } from "../unit/sources/upstream/upstream-world.ts";

const readFile = {
  name: "read_file",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  annotations: { readOnlyHint: true },
};
const readMany = {
  ...readFile,
  name: "read_many",
  inputSchema: { type: "object", properties: { paths: { type: "array", items: { type: "string" } } } },
};

let world: UpstreamWorld;
beforeEach(() => {
  world = new UpstreamWorld();
});
afterEach(() => world.close());

describe("files named to a tool of an upstream server", () => {
  it.each([
    ["files__read_file", { path: ".env" }],
    ["files__read_file", { path: "sub/../.env" }],
    ["files__read_file", { path: ".ssh/id_ed25519" }],
    ["files__read_many", { paths: ["a.txt", ".env"] }],
  ])(
    "%s %j is refused where the file is protected, also if all its tools are approved",
    async (tool, input) => {
      world.script("files", [readFile, readMany]);
      const { call } = await world.open([world.entry("files", { trustAnnotations: true })]);
      const refused = await call(tool, input);
      expect(refused.ok === false && refused.error.code).toBe("policy_denied");
      expect((await call("files__read_file", { path: "a.txt" })).ok).toBe(true);
    },
  );
});
