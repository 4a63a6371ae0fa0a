import { describe, expect, it } from "vitest";
import type { ParsedFile } from "../../../../src/config/file/parse-file.ts";
import { parseConfigFile } from "../../../../src/config/file/parse-file.ts";
import { narrow } from "../../../../src/config/trust/narrow.ts";

function parsed(text: string): ParsedFile {
  const result = parseConfigFile(text, "toolgate.yaml", "config");
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.file;
}

describe("a file that nobody trusts", () => {
  it("keeps the settings that make the gate stricter", () => {
    const { file, ignored } = narrow(
      parsed("hooks: { default: deny }\nshell: { dialect: zsh }\nsandbox: { mode: required }\n"),
      "toolgate.yaml",
    );
    expect(file.settings).toEqual({
      hooks: { default: "deny" },
      shell: { dialect: "zsh" },
      sandbox: expect.anything(),
    });
    expect(ignored).toEqual([]);
  });

  it("loses every other setting, each told once", () => {
    const { file, ignored } = narrow(
      parsed("tools: { enable_all: true, enabled_categories: [shell] }\nmcp: { tools: all }\n"),
      "toolgate.yaml",
    );
    expect(file.settings).toEqual({});
    expect(ignored.map(({ what }) => what).sort()).toEqual(["mcp", "tools"]);
  });

  it("loses a setting that a later version of the format adds", () => {
    const file = parsed("hooks: { default: ask }\n");
    const later = { ...file, settings: { ...file.settings, brandNew: true } } as ParsedFile;
    expect(narrow(later, "toolgate.yaml").file.settings).toEqual({ hooks: { default: "ask" } });
  });

  it("loses a key that a later version adds to a section of which something is taken", () => {
    const file = parsed("hooks: { default: ask }\nshell: { dialect: zsh }\nsandbox: { mode: required }\n");
    const sections = Object.entries(file.settings).map(([name, said]) => [name, { ...said, brandNew: true }]);
    const later = { ...file, settings: Object.fromEntries(sections) };
    expect(narrow(later, "toolgate.yaml").file.settings).toEqual(file.settings);
  });
});

it("a file that nobody trusts gets no policy in shadow mode: it would make nothing stricter", () => {
  const text =
    "policies:\n  a: { tools: Bash, action: deny, mode: shadow }\n  b: { tools: Bash, action: deny }\n";
  const { file, ignored } = narrow(parsed(text), "toolgate.yaml");
  expect(file.policies.map(({ name }) => name)).toEqual(["b"]);
  expect(ignored).toMatchObject([
    { what: 'policy "a"', why: "it is in shadow mode, which makes nothing stricter" },
  ]);
});
