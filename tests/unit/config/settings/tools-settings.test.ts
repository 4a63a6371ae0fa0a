import { describe, expect, it } from "vitest";
import { parseConfigFile } from "../../../../src/config/file/parse-file.ts";
import { createWorld } from "../world.ts";

function read(text: string) {
  const parsed = parseConfigFile(text, "config.yaml", "config");
  return parsed.ok
    ? parsed.file.settings
    : parsed.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

describe("tools.enabled_categories", () => {
  it("is a list, or a mapping in which false switches off", () => {
    const tools = (words: string) => (read(`tools: { ${words} }`) as { tools: object }).tools;
    expect(tools("enabled_categories: [web, shell]")).toEqual({ enabledCategories: ["web", "shell"] });
    expect(tools("enabled_categories: { web: true, task: false, code: false }")).toEqual({
      enabledCategories: ["web"],
      disabledCategories: ["task", "code"],
    });
    const both = "enabled_categories: { task: false }, disabled_categories: [code, task]";
    expect(tools(both)).toEqual({ disabledCategories: ["code", "task"] });
  });

  it.each([
    ["tools: { enabled_categories: { web: yes } }", "tools.enabled_categories.web: expected true or false"],
    ["tools: { enabled_categories: web }", "tools.enabled_categories: expected a list or a mapping"],
    ["tools: { enabled_categories: [1] }", "tools.enabled_categories[0]: expected text"],
    ["tools: { disabled_categories: { web: true } }", "tools.disabled_categories: expected a list"],
    [
      "tools: { enabled_categories: [web], disabled_categories: [web] }",
      "tools.disabled_categories[0]: is also in enabled_categories; say one.",
    ],
  ])("refuses %s", (text, message) => {
    expect(read(text)).toEqual([expect.stringContaining(message)]);
  });
});

describe("tools.disabled_categories of several files", () => {
  it("all count: what one file switches off, no other switches on", async () => {
    const { settings, problems } = await createWorld({
      admin: "tools: { enabled_categories: [shell, web] }\n",
      user: "tools: { disabled_categories: [shell] }\n",
      project: "tools: { disabled_categories: [code] }\n",
    }).load();
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({
      enabledCategories: ["shell", "web"],
      disabledCategories: ["shell", "code"],
    });
  });

  it("count of a project that nobody trusts, which switches nothing on", async () => {
    const { settings, ignored } = await createWorld({
      project:
        "tools: { enabled_categories: { shell: true, code: false } }\ncategories: { x: { ceiling: execute } }\n",
    }).load();
    expect(settings).toEqual({ checkDefault: "abstain", disabledCategories: ["code"] });
    expect(ignored.map(({ what }) => what).sort()).toEqual(["categories", "tools"]);
  });

  it("name categories that exist; a problem names the file, and of a stranger's file no word", async () => {
    const { problems } = await createWorld({
      user: "tools: { enabled_categories: [shel], ceilings: { development: read } }\n",
      project: "tools: { disabled_categories: [no-such-thing] }\n",
    }).load();
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^tools\.enabled_categories: there is no category "shel"\. Did you mean "shell"\? Known: filesystem, /,
      ),
      expect.stringMatching(/^tools\.ceilings: there is no category "development"\./),
      expect.stringMatching(/^tools\.disabled_categories: names a category that does not exist\. Known: /),
    ]);
    expect(problems[2]?.file).toMatch(/toolgate\.yaml$/);
  });
});

describe("categories", () => {
  it("are defined with a ceiling; the rest has defaults", () => {
    const text =
      "categories:\n  deploy: { ceiling: execute }\n  billing: { name: Billing, description: Invoices., ceiling: read, enabled: false }\n";
    expect(read(text)).toEqual({
      categories: [
        { id: "deploy", name: "deploy", description: "", ceiling: "execute", enabled: true },
        { id: "billing", name: "Billing", description: "Invoices.", ceiling: "read", enabled: false },
      ],
    });
  });

  it.each([
    ["categories: { deploy: {} }", "1:15 categories.deploy: needs ceiling."],
    ["categories: { deploy: { ceiling: all } }", "expected one of read, write, execute"],
    ["categories: { deploy: { ceiling: read, colour: red } }", "unknown key"],
    ["categories: { shell: { ceiling: read } }", "categories.shell: exists already"],
    ["categories: { development: { ceiling: read } }", "categories.development: exists already"],
    ["categories: { Deploy It: { ceiling: read } }", "an id is lower-case letters"],
    ["categories: [deploy]", "categories: expected a mapping"],
  ])("refuses %s", (text, message) => {
    expect(read(text)).toEqual([expect.stringContaining(message)]);
  });

  it("can be named by tools and limits of any file; of two with one name the more trusted file's counts", async () => {
    const { settings, notes, problems } = await createWorld({
      admin: "categories: { deploy: { ceiling: read } }\n",
      user: "categories: { deploy: { ceiling: execute } }\ntools: { ceilings: { deploy: write }, disabled_categories: [deploy] }\n",
    }).load();
    expect(problems).toEqual([]);
    expect(settings.categories).toMatchObject([{ id: "deploy", ceiling: "read" }]);
    expect(notes).toEqual([
      expect.stringMatching(/config\.yaml: category "deploy" is ignored: .*a\.yaml has one/),
    ]);
  });
});
