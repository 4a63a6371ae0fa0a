/** A server behind the gate is no way around the rules about files: what its tools call `path` is judged as a path. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { promptsOf, resourcesOf } from "../../src/open/open-upstreams.ts";
import { createMcpTools } from "../../src/sources/builtin/mcp/mcp-tools.ts";
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

const anything = { name: "anything", description: "Takes anything.", inputSchema: { type: "object" } };
const closed = {
  ...anything,
  name: "closed",
  inputSchema: { type: "object", properties: { args: { type: "object" } }, additionalProperties: false },
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

describe("files named deeper in the input of a tool of an upstream server", () => {
  const within = (levels: number, input: object): object =>
    levels === 0 ? input : { in: within(levels - 1, input) };

  it.each([
    ["files__anything", { args: { path: ".env" } }],
    ["files__closed", { args: { path: ".env" } }],
    ["files__anything", { files: [{ path: "a.txt" }, { path: ".env" }] }],
    ["files__anything", { files: [{ path: "a.txt", also: { path: ".env" } }] }],
    ["files__anything", { file: { path: ".env" } }],
    ["files__anything", { paths: [["a.txt", [".env"]]] }],
    ["files__anything", { edits: [{ at: [{ target_file: ".env" }] }] }],
    ["files__anything", { run: { command: "cat .env" } }],
    ["files__anything", within(10, { path: ".env" })],
  ])(
    "%s %j is refused where the file is protected, also if all its tools are approved",
    async (tool, input) => {
      world.script("files", [anything, closed]);
      const { call } = await world.open([world.entry("files")]);
      const refused = await call(tool, input);
      expect(refused.ok === false && refused.error.code).toBe("policy_denied");
      expect((await call("files__closed", { args: { path: "a.txt" } })).ok).toBe(true);
    },
  );

  it.each([
    ["deep", within(20, { path: ".env" })],
    ["large", { all: Array.from({ length: 10_000 }, (_, at) => ({ at })), in: { path: ".env" } }],
  ])("are not called on what is too %s to be read, unless a person says so", async (_how, input) => {
    world.script("files", [anything]);
    const { call } = await world.open([world.entry("files")]);
    const refused = await call("files__anything", input);
    expect(refused.ok === false && refused.error.code).toBe("no_approver");
  });
});

/** All that is not a call of its tools also goes through tools of the gate. */
async function openWhole() {
  world.script("files", [readFile]);
  const opened = await world.open([world.entry("files", { permission: "read" })]);
  const { upstreams } = opened.open;
  const ports = { resources: resourcesOf(() => upstreams), prompts: promptsOf(() => upstreams) };
  for (const tool of createMcpTools(ports)) opened.gate.tools.register(tool);
  return opened;
}

describe("a resource of an upstream server that is a file", () => {
  it.each([
    ["a query", "file://WS/a.txt?/../.env"],
    ["an empty query", "file://WS/.env?"],
    ["a fragment", "file://WS/a.txt#/../.env"],
    ["a host", "file://localhostWS/.env"],
    ["another host", "file://elsewhereWS/a.txt"],
    ["a host that nobody can read", "file://[WS/.env"],
    ["steps upwards", "file://WS/sub/../.env"],
    ["steps upwards behind an escaped mark", "file://WS/a.txt%3F/../.env"],
    ["an escaped separator", "file://WS/sub%2F..%2F.env"],
    ["other separators", "file://WS\\.env"],
    ["fewer slashes", "file:WS/.env"],
    ["capitals in its scheme", "FILE://WS/.env"],
    ["a space before it", " file://WS/.env"],
    ["a line break in it", "fi\nle://WS/.env"],
  ])("is not read under a name with %s, which servers read in different ways", async (_what, uri) => {
    const { call } = await openWhole();
    const read = (one: string) =>
      call("mcp.resource_read", { server: "files", uri: one.replace("WS", world.folder) });
    const refused = await read(uri);
    expect(refused.ok === false && refused.error).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("to name one file in its shortest form"),
    });
    expect((await read("file://WS/a.txt")).ok).toBe(true);
  });
});

describe("files named to a prompt of an upstream server", () => {
  it.each([{ path: ".env" }, { file: "sub/../.env" }, { command: "cat .env" }])(
    "%j is refused where the file is protected, also if all its tools are approved",
    async (given) => {
      const { call } = await openWhole();
      const get = (args: object) =>
        call("mcp.prompt_get", { server: "files", name: "show", arguments: args });
      const refused = await get(given);
      expect(refused.ok === false && refused.error.code).toBe("policy_denied");
      expect((await get({ path: "a.txt" })).ok).toBe(true);
    },
  );

  it("is asked about outside the workspace", async () => {
    const { call } = await openWhole();
    const asked = await call("mcp.prompt_get", {
      server: "files",
      name: "show",
      arguments: { path: "/etc/hostname" },
    });
    expect(asked.ok === false && asked.error.code).toBe("no_approver");
  });
});
