import { describe, expect, it } from "vitest";
import type { ParsedFile } from "../../../../src/config/file/parse-file.ts";
import { narrow } from "../../../../src/config/trust/narrow.ts";
import { names, parsedFile } from "../world.ts";

const narrowed = (file: ParsedFile | string) =>
  narrow(typeof file === "string" ? parsedFile(file) : file, "toolgate.yaml");

const strict = "hooks: { default: deny }\nshell: { dialect: zsh }\nsandbox: { mode: required }\n";

describe("a file that nobody trusts", () => {
  it("keeps the settings that make the gate stricter", () => {
    const { file, ignored } = narrowed(strict);
    expect(file.settings).toEqual({
      hooks: { default: "deny" },
      shell: { dialect: "zsh" },
      sandbox: expect.anything(),
    });
    expect(ignored).toEqual([]);
  });

  it("loses every other setting, each told once", () => {
    const { file, ignored } = narrowed(
      "tools: { enable_all: true, enabled_categories: [shell] }\nmcp: { tools: all }\n",
    );
    expect(file.settings).toEqual({});
    expect(ignored.map(({ what }) => what).sort()).toEqual(["mcp", "tools"]);
  });

  it("loses a setting that a later version of the format adds", () => {
    const file = parsedFile("hooks: { default: ask }\n");
    const later = { ...file, settings: { ...file.settings, brandNew: true } } as ParsedFile;
    expect(narrowed(later).file.settings).toEqual({ hooks: { default: "ask" } });
  });

  it("loses a key that a later version adds to a section of which something is taken", () => {
    const file = parsedFile(strict);
    const sections = Object.entries(file.settings).map(([name, said]) => [name, { ...said, brandNew: true }]);
    const later = { ...file, settings: Object.fromEntries(sections) };
    expect(narrowed(later).file.settings).toEqual(file.settings);
  });
});

it("a file that nobody trusts gets no policy in shadow mode: it would make nothing stricter", () => {
  const text =
    "policies:\n  a: { tools: Bash, action: deny, mode: shadow }\n  b: { tools: Bash, action: deny }\n";
  const { file, ignored } = narrowed(text);
  expect(names(file.policies)).toEqual(["b"]);
  expect(ignored).toMatchObject([
    { what: 'policy "a"', why: "it is in shadow mode, which makes nothing stricter" },
  ]);
});
