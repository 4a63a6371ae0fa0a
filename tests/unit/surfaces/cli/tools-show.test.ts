import { describe, expect, it } from "vitest";
import { findKnownTool } from "../../../../src/core/tool/known-tools.ts";
import { useCliWorld } from "./cli-world.ts";
import { expectEnd, refuses, says } from "./expect-end.ts";

const world = useCliWorld();

const show = (...argv: string[]) => world.run(["tools", "show", ...argv]);

describe("toolgate tools show", () => {
  it("tells what a tool does, takes and is called, and whether it can be called", async () => {
    const { out } = await expectEnd(show("fs.read"), {
      out: [
        /^fs\.read: Read files\n {2}Reads /,
        /\n {2}category {4}filesystem\n {2}permission {2}read\n {2}needs {7}fs:read\n/,
        "\n  source      builtin\n  callable    yes",
        /\n {2}path\? {2}string\n {6}The file.*\n {6}also called: file_path, /,
      ],
      err: "",
    });
    for (const alias of findKnownTool("fs.read")?.aliases ?? []) expect(out).toContain(`, ${alias}`);
  });

  it("finds it by wire name and by every alias, and says the same", async () => {
    const { out } = await show("fs.read");
    for (const name of ["fs_read", ...(findKnownTool("fs.read")?.aliases ?? [])])
      expect((await show(name)).out, name).toBe(out);
  });

  it("says why a tool cannot be called, and what opens it", async () => {
    await says(
      show("fs.write"),
      'callable    no: fs.write is in the category "editing", which is switched off. Try: --enable-tool-categories editing\n',
    );
    expect((await show("fs.write", "--enable-tool-categories", "editing")).out).toContain("callable    yes");
  });

  it("says that a policy denies every call", async () => {
    const file = world.file("no.yaml", "policies: {no-reading: {tools: Read, action: deny}}\n");
    expect((await show("fs.read", "--config", file)).out).toContain(
      "callable    no: A policy denies every call of fs.read.",
    );
  });

  it("prints all of it as JSON", async () => {
    const { out } = await show("Read", "--json");
    expect(JSON.parse(out)).toMatchObject({
      id: "fs.read",
      wireName: "fs_read",
      category: "filesystem",
      permission: "read",
      callable: true,
      source: { kind: "builtin" },
      capabilities: ["fs:read"],
      aliases: findKnownTool("fs.read")?.aliases,
      parameters: expect.arrayContaining([expect.objectContaining({ name: "path", required: false })]),
      inputSchema: { type: "object", additionalProperties: false },
      definitionHash: expect.any(String),
    });
  });

  it("says that a tool takes no input", async () => {
    expect((await show("shell.list")).out).toContain("It takes no input: {}\n");
  });

  it.each([
    ["fs.raed", "Did you mean fs.read"],
    ["reed_file", "Did you mean fs.read"],
    ["xyzzyxyzzy", "toolgate tools list --all"],
    ["\u202eevil", "\\u{202E}"],
  ])("does not know %j", async (name, message) => {
    await refuses(show(name), "There is no tool", message);
  });
});
