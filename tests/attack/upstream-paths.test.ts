/** A server behind the gate is no way around the rules about files: what its tools call `path` is judged as a path. */
import { describe, expect, it } from "vitest";
import { useUpstreams, withMcpTools } from "./upstream-programs.ts";

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

const held = useUpstreams();

it.each([
  ["files__read_file", { path: ".env" }],
  ["files__read_file", { path: "sub/../.env" }],
  ["files__read_file", { path: ".ssh/id_ed25519" }],
  ["files__read_many", { paths: ["a.txt", ".env"] }],
])(
  "files named to a tool of an upstream server %s %j is refused where the file is protected, also if all its tools are approved",
  async (tool, input) => {
    held.world.script("files", [readFile, readMany]);
    const { call } = await held.world.open([held.world.entry("files", { trustAnnotations: true })]);
    const refused = await call(tool, input);
    expect(refused.ok === false && refused.error.code).toBe("policy_denied");
    expect((await call("files__read_file", { path: "a.txt" })).ok).toBe(true);
  },
);

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
      held.world.script("files", [anything, closed]);
      const { call } = await held.world.open([held.world.entry("files")]);
      const refused = await call(tool, input);
      expect(refused.ok === false && refused.error.code).toBe("policy_denied");
      expect((await call("files__closed", { args: { path: "a.txt" } })).ok).toBe(true);
    },
  );

  it.each([
    ["deep", within(20, { path: ".env" })],
    ["large", { all: Array.from({ length: 10_000 }, (_, at) => ({ at })), in: { path: ".env" } }],
  ])("are not called on what is too %s to be read, unless a person says so", async (_how, input) => {
    held.world.script("files", [anything]);
    const { call } = await held.world.open([held.world.entry("files")]);
    const refused = await call("files__anything", input);
    expect(refused.ok === false && refused.error.code).toBe("no_approver");
  });
});

async function openWhole() {
  held.world.script("files", [readFile]);
  return withMcpTools(await held.world.open([held.world.entry("files", { permission: "read" })]));
}

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
])(
  "a resource of an upstream server that is a file is not read under a name with %s, which servers read in different ways",
  async (_what, uri) => {
    const { call } = await openWhole();
    const read = (one: string) =>
      call("mcp.resource_read", { server: "files", uri: one.replace("WS", held.world.folder) });
    const refused = await read(uri);
    expect(refused.ok === false && refused.error).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("to name one file in its shortest form"),
    });
    expect((await read("file://WS/a.txt")).ok).toBe(true);
  },
);

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
