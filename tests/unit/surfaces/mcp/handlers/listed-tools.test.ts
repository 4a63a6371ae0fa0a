import { describe, expect, it, onTestFinished } from "vitest";
import type { RegisteredTool } from "../../../../../src/core/tool/registry.ts";
import { createGate, defineTool } from "../../../../../src/index.ts";
import { createMcpTools } from "../../../../../src/sources/builtin/mcp/mcp-tools.ts";
import { definitionTokens, listedTools } from "../../../../../src/surfaces/mcp/handlers/listed-tools.ts";

const finders = ["tools.search", "tools.describe", "tools.call"];

async function manyTools(count: number): Promise<readonly RegisteredTool[]> {
  const many = Array.from({ length: count }, (_, index) =>
    defineTool({
      id: `hub__thing_${index}`,
      description: "Does one of the many things that can be done here.",
      permission: "read",
      input: { type: "object", properties: { name: { type: "string", description: "Of the thing." } } },
      run: () => "",
    }),
  );
  const gate = await createGate({ tools: [...createMcpTools({}), ...many] });
  const tools = gate.tools.list();
  await gate.close();
  return tools;
}

const ids = (tools: readonly RegisteredTool[]) => tools.map(({ id }) => id);

describe("the tools that are listed", () => {
  it("are all in the mode `all`, whatever they cost", async () => {
    const tools = await manyTools(50);
    expect(listedTools(tools, { mode: "all", tokenBudget: 1 })).toEqual({ mode: "all", tools });
  });

  it("are in search mode those that find and call the others, and those that must stay", async () => {
    const tools = await manyTools(3);
    const listed = listedTools(tools, { mode: "search" });
    expect(listed.mode).toBe("search");
    expect(ids(listed.tools).sort()).toEqual([...finders].sort());
    const more = listedTools(tools, { mode: "search", always: ["hub__thing_1", "not.there"] });
    expect(ids(more.tools).sort()).toEqual([...finders, "hub__thing_1"].sort());
  });

  it("are all while they cost no more than the budget, and few above it", async () => {
    const tools = await manyTools(30);
    const others = tools.filter(({ id }) => !finders.includes(id));
    const cost = others.reduce((sum, tool) => sum + definitionTokens(tool), 0);
    expect(listedTools(tools, { mode: "auto", tokenBudget: cost })).toEqual({ mode: "all", tools: others });
    expect(listedTools(tools, { mode: "auto", tokenBudget: cost - 1 }).mode).toBe("search");
    expect(listedTools(tools, { mode: "auto" }).mode).toBe("all");
    expect(listedTools(await manyTools(400), { mode: "auto" }).mode).toBe("search");
  });

  it.each(["tools.search", "tools.call"])("are all for a caller who may not use %s", async (closed) => {
    const tools = (await manyTools(400)).filter(({ id }) => id !== closed);
    for (const mode of ["auto", "search"] as const)
      expect(listedTools(tools, { mode })).toEqual({ mode: "all", tools });
  });

  it("name the groups of the others in search mode, as many as have room, and change no registered tool", async () => {
    const tools = await manyTools(2);
    const search = tools.find(({ id }) => id === "tools.search");
    const described = (from: readonly RegisteredTool[]) =>
      listedTools(from, { mode: "search" }).tools.find(({ id }) => id === "tools.search")?.tool.description ??
      "";
    expect(described(tools)).toBe(`${search?.tool.description} Groups here: mcp (5), custom (2).`);
    expect(search?.tool.description).not.toContain("Groups here");
    const strange = tools.flatMap((tool) =>
      tool.id.startsWith("hub")
        ? Array.from({ length: 300 }, (_, index) => ({
            ...tool,
            source: { ...tool.source, name: `s\u202e${index}` },
          }))
        : [tool],
    );
    expect(described(strange)).toMatch(/s\\u\{202E\}0 \(2\).* and \d+ more\.$/);
    expect(described(strange).length).toBeLessThan(3_500);
  });

  it("cost little in search mode", async () => {
    const { tools } = listedTools(await manyTools(1), { mode: "search" });
    expect(tools.reduce((sum, tool) => sum + definitionTokens(tool), 0)).toBeLessThan(1_000);
  });
});

describe("the built-in tools", () => {
  async function listed(categories: readonly string[], all = false) {
    const enable = all ? { enableAll: true } : { enabledCategories: categories };
    const gate = await createGate({ builtin: true, enable });
    onTestFinished(() => gate.close());
    return listedTools(gate.tools.callable(), { mode: "auto" });
  }

  it("are all listed to a person who enabled some categories: those that are off cost nothing", async () => {
    expect((await listed([])).mode).toBe("all");
    const { mode, tools } = await listed(["development", "web", "browser"]);
    expect(mode).toBe("all");
    expect(tools.map(({ id }) => id)).toContain("browser.open");
  });

  it("are found by search where every one of them is enabled", async () => {
    const { mode, tools } = await listed([], true);
    expect([mode, tools.length]).toEqual(["search", 3]);
  });
});
