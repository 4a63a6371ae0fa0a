import { describe, expect, it } from "vitest";
import { createGatedTool } from "../../../tools.ts";
import { codeOf, paperGate, tool } from "../../paper-gate.ts";

const states = async (enable = {}) => {
  const { gate } = await paperGate({ enable });
  return Object.fromEntries(
    gate.categories.list().map(({ id, enabled, ceiling }) => [id, `${enabled ? "on" : "off"} ${ceiling}`]),
  );
};

const billing = { name: "Billing", description: "Invoices.", enabled: true, ceiling: "read" } as const;

describe("categories", () => {
  it("start as the specification lists them", async () => {
    expect(await states()).toEqual({
      filesystem: "on read",
      search: "on read",
      workspace: "on read",
      git: "on read",
      editing: "off write",
      shell: "off execute",
      web: "off read",
      browser: "off execute",
      code: "on read",
      task: "on read",
      mcp: "on execute",
      customer_support: "off write",
      custom: "on execute",
    });
  });

  it("know development as editing, shell and writing git", async () => {
    expect(await states({ enabledCategories: ["development"] })).toMatchObject({
      editing: "on write",
      shell: "on execute",
      git: "on write",
    });
  });

  it("take git back to reading when development is switched off, so that its readers stay", async () => {
    const both = { enabledCategories: ["development"], disabledCategories: ["development"] };
    expect(await states(both)).toMatchObject({ editing: "off write", shell: "off execute", git: "on read" });
  });

  it("never lower a ceiling by switching development on", async () => {
    const { gate } = await paperGate();
    gate.categories.setCeiling("git", "execute");
    gate.categories.enable("development");
    expect(gate.categories.get("git")?.ceiling).toBe("execute");
  });

  it("are all on and uncapped with enableAll, save those named as disabled", async () => {
    const all = await states({ enableAll: true, disabledCategories: ["shell"] });
    expect(all).toMatchObject({ shell: "off execute", git: "on execute", web: "on execute" });
    expect(Object.values(all).filter((state) => state !== "on execute")).toEqual(["off execute"]);
  });

  it("are all off with enableAll: false, save those named as enabled", async () => {
    const some = await states({ enableAll: false, enabledCategories: ["git", "web"] });
    const on = Object.entries(some).filter(([, state]) => state.startsWith("on"));
    expect(Object.fromEntries(on)).toEqual({ git: "on read", web: "on read" });
  });

  it("are switched all on or all off at run time", async () => {
    const { gate } = await paperGate({ tools: [tool({ permission: "execute" })] });
    gate.categories.enableAll(false);
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("category_disabled");
    expect(gate.tools.definitions()).toEqual([]);
    gate.categories.enableAll(true);
    for (const one of gate.categories.list())
      expect(one).toMatchObject({ enabled: true, ceiling: "execute" });
    expect(() => gate.categories.enableAll("no" as never)).toThrow("enableAll takes true or false.");
  });

  it("can be added without a change in core", async () => {
    const { gate } = await paperGate();
    gate.categories.define({ ...billing, id: "billing" });
    gate.tools.register(tool({ category: "billing", permission: "write" }));
    const message = expect.stringContaining('"billing" allows at most "read"');
    const error = { code: "above_ceiling", message };
    expect(await gate.dispatch({ tool: "x.run" })).toMatchObject({ error });
  });

  it.each([
    ["git", /exists already/],
    ["development", /exists already/],
    ["Git Hub", /must be lower-case/],
    ["", /must be lower-case/],
    ["__proto__", /must be lower-case/],
  ])("refuse %j as a new id", async (id, message) => {
    const { gate } = await paperGate();
    expect(() => gate.categories.define({ ...billing, id })).toThrow(message);
  });

  it.each(["constructor", "toString", "__proto__", ""])("do not know %j", async (name) => {
    const { gate } = await paperGate();
    expect(gate.categories.get(name)).toBeUndefined();
    const known = /There is no category.* Known: filesystem, .*, development\b/;
    expect(() => gate.categories.enable(name)).toThrow(known);
    expect(() => gate.categories.disable(name)).toThrow("There is no category");
    expect(() => gate.categories.setCeiling(name, "read")).toThrow("There is no category");
  });

  it("offer a close name for one that nobody defined", async () => {
    const enable = { enabledCategories: ["editin"] };
    await expect(paperGate({ enable })).rejects.toThrow('did you mean "editing"?');
  });
});

describe("a switch at run time", () => {
  it("takes effect on the next call", async () => {
    const { gate } = await paperGate({ tools: [tool({ category: "web" })] });
    const codes = [codeOf(await gate.dispatch({ tool: "x.run" }))];
    gate.categories.enable("web");
    codes.push(codeOf(await gate.dispatch({ tool: "x.run" })));
    gate.categories.disable("web");
    codes.push(codeOf(await gate.dispatch({ tool: "x.run" })));
    expect(codes).toEqual(["category_disabled", "ran", "category_disabled"]);
  });

  it("moves a ceiling for the next call", async () => {
    const approve = [{ name: "yes", tools: "*", action: "approve" as const }];
    const tools = [tool({ category: "git", permission: "write" })];
    const { gate } = await paperGate({ tools, policies: approve });
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("above_ceiling");
    gate.categories.setCeiling("git", "write");
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("ran");
  });

  it("leaves a running call alone", async () => {
    const { tool: slow, started } = createGatedTool();
    const { gate } = await paperGate({ tools: [slow] });
    const call = gate.dispatch({ tool: "slow.wait" });
    await expect.poll(() => started.length).toBe(1);
    gate.categories.disable("custom");
    started[0]?.();
    expect(codeOf(await call)).toBe("ran");
  });
});
