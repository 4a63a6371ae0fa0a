import { describe, expect, it } from "vitest";
import { isPathField, isUrlField } from "../../src/core/input/place-fields.ts";
import type { Policy } from "../../src/index.ts";
import { createTestGate } from "../../src/testing/index.ts";

const denies = (type: "path" | "url", value: string): Policy => ({
  name: `no-${type}`,
  tools: "*",
  action: "deny",
  priority: 1,
  conditions: [{ type, operator: "inside", value }],
});
const approves: Policy = { name: "server", tools: "mcp__files__*", action: "approve" };
const policies = [approves, denies("path", "secret"), denies("url", "evil.test")];

async function verdict(input: Record<string, unknown>): Promise<string> {
  const { gate } = await createTestGate({ policies });
  return (await gate.explain({ tool: "mcp__files__get", input: input as never }, { as: "check" })).verdict;
}

describe("a path rule holds for a server's argument, however that is called", () => {
  it.each([
    ...["Path", "filepath", "FilePath", "fileName", "file_name", "folder", "folderPath", "repo_path"],
    ...["outputPath"],
    ...["output-file", "input_file", "src", "dest", "source_path", "oldPath", "TargetFile", "AbsolutePath"],
    ...["rootDir", "workingDirectory", "image_path", "basedir"],
  ])("%s", async (name) => {
    for (const input of [
      { [name]: "secret/key" },
      { [name]: ".env" },
      { options: [{ [name]: "secret/key" }] },
    ])
      expect(await verdict(input)).toBe("deny");
    expect(await verdict({ [name]: "/etc/hosts" })).toBe("ask");
    expect(await verdict({ [name]: "notes/today.md" })).toBe("allow");
  });
});

it.each(["URL", "targetUrl", "image_url", "webhook-url", "href"])(
  "a URL rule holds for a server's %s",
  async (name) => {
    expect(await verdict({ [name]: "https://www.evil.test/x" })).toBe("deny");
    expect(await verdict({ [name]: "https://example.com/x" })).toBe("allow");
  },
);

it.each([
  { profile: "/a/b" },
  { xpath: "/html/body" },
  { jsonPath: "/a/b" },
  { class_path: "/x" },
  { route_path: "/users/5" },
  { env: { LD_LIBRARY_PATH: "/usr/lib", PATH: "/usr/bin" } },
  { include_files: true, max_files: 10, createFolder: false },
  { file_id: "/1", pathology: "/1", filter: "/x", direction: "/up", curl: "evil.test" },
])("what is no file of this machine is not asked about: %j", async (input) => {
  expect(await verdict(input)).toBe("allow");
});

it("a name that nobody would give to a field is not read", () => {
  expect(isPathField(`${"a_".repeat(50_000)}path`)).toBe(false);
  expect(isUrlField(`${"a_".repeat(50_000)}url`)).toBe(false);
});
