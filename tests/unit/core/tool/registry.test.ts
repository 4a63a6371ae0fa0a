import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type AnyTool, ToolgateError } from "../../../../src/index.ts";
import { codeOf, paperGate, tool } from "../../paper-gate.ts";

const fsRead = tool({
  id: "fs.read",
  title: "Read",
  aliases: ["Read"],
  input: z.object({ path: z.string() }),
});

const no = { name: "no", tools: "*", action: "deny" } as const;
/** The register of a gate with these tools. */
const register = async (...tools: AnyTool[]) => (await paperGate({ tools })).gate.tools;

describe("registering a tool", () => {
  it("makes it callable by id, wire name and alias, each leading to the one tool", async () => {
    const { gate } = await paperGate({ tools: [fsRead] });
    for (const name of ["fs.read", "fs_read", "Read"]) {
      const outcome = await gate.dispatch({ tool: name, input: { path: "a" } });
      expect([outcome.ok, outcome.tool]).toEqual([true, "fs.read"]);
    }
  });

  it.each([
    ["the same id", tool({ id: "fs.read" })],
    ["another tool's wire name as id", tool({ id: "fs_read" })],
    ["another tool's alias as id", tool({ id: "Read" })],
    ["another tool's id as alias", tool({ id: "other", aliases: ["fs.read"] })],
    ["another tool's alias as alias", tool({ id: "other", aliases: ["Read"] })],
  ])("throws for %s and leaves the register as it was", async (_, second) => {
    const tools = await register(fsRead);
    expect(() => tools.register(second)).toThrow(/taken/);
    expect([tools.count, tools.has("other")]).toEqual([1, false]);
  });

  it("reads each field once, so that a tool cannot change its mind behind a rule or an approval", async () => {
    const ran: string[] = [];
    const reads = { permission: 0, run: 0 };
    const shifty = {
      ...tool({ id: "x.run" }),
      get permission() {
        return reads.permission++ === 0 ? ("execute" as const) : ("read" as const);
      },
      get run() {
        const name = reads.run++ === 0 ? "first" : "later";
        return () => void ran.push(name);
      },
    };
    const capabilities = ["net:fetch"];
    const { gate } = await paperGate({ tools: [tool({ id: "y.run", capabilities })] });
    gate.tools.register(shifty);
    capabilities.length = 0;
    expect(gate.tools.get("x.run")?.tool.permission).toBe("execute");
    expect(gate.tools.get("x.run")?.tool.permission).toBe("execute");
    expect(gate.tools.get("y.run")?.tool.capabilities).toEqual(["net:fetch"]);
    expect(reads).toEqual({ permission: 1, run: 1 });
    class Counter {
      readonly id = "c.run";
      readonly description = "Counts.";
      readonly permission = "read";
      readonly input = { type: "object" } as const;
      readonly run = () => this.#next();
      #count = 0;
      #next() {
        return ++this.#count;
      }
    }
    gate.tools.register(new Counter() as never);
    expect(await gate.dispatch({ tool: "c.run" })).toMatchObject({ value: 1 });
  });

  it("refuses two ids that share one wire name", async () => {
    const tools = await register(tool({ id: "a.b_c" }));
    const taken = 'The name "a_b_c" for "a_b.c" is taken by "a.b_c"';
    expect(() => tools.register(tool({ id: "a_b.c" }))).toThrow(taken);
  });

  it("names the source of the tool that holds the name", async () => {
    const tools = await register();
    tools.register(fsRead, { kind: "plugin", name: "notes.json" });
    expect(() => tools.register(fsRead)).toThrow("(plugin notes.json)");
  });

  it.each([
    ["an undefined category", { category: "no-such" }, /category "no-such", which is not defined/],
    ["an alias that is no name", { aliases: ["bad alias"] }, /may hold only letters/],
    ["a schema that cannot work", { input: { type: "nonsense" } }, /input schema cannot be used/],
  ])("throws for %s", async (_, parts, message) => {
    const tools = await register();
    expect(() => tools.register({ ...fsRead, ...parts })).toThrow(message);
    expect(tools.count).toBe(0);
  });

  it.each([
    [{ id: "" }, /needs an id/],
    [{ description: " " }, /needs a description/],
    [{ permission: "admin" }, /needs permission "read", "write" or "execute", not "admin"/],
    [{ run: 1 }, /needs a run/],
    [{ input: undefined }, /needs an input schema/],
    [{ timeoutMs: 0 }, /timeoutMs must be a whole number of at least 1/],
    [{ maxRetries: 2 }, /not idempotent/],
  ])("says what is wrong with %j", async (parts, message) => {
    const tools = await register();
    expect(() => tools.register({ ...tool(), ...parts } as never)).toThrow(message);
    expect(() => tool(parts as never)).toThrow(ToolgateError);
  });
});

describe("replacing and removing", () => {
  it("replaces only what exists", async () => {
    const tools = await register();
    expect(() => tools.replace(fsRead)).toThrow('There is no tool "fs.read" to replace');
  });

  it("puts the new code under the old id and keeps aliases that were added by hand", async () => {
    const { gate } = await paperGate({ tools: [tool({ run: () => "old" })] });
    gate.tools.alias("run_it", "x.run");
    gate.tools.replace(tool({ run: () => "new" }));
    expect(await gate.dispatch({ tool: "run_it" })).toMatchObject({ ok: true, value: "new" });
  });

  it("does not let a replacement take a name of a third tool", async () => {
    const tools = await register(fsRead, tool());
    expect(() => tools.replace(tool({ aliases: ["Read"] }))).toThrow(/taken by "fs.read"/);
    expect(tools.get("Read")?.id).toBe("fs.read");
  });

  it("frees every name of a tool that is removed", async () => {
    const { gate } = await paperGate({ tools: [fsRead] });
    gate.tools.alias("reader", "fs.read");
    expect(gate.tools.unregister("fs.read")).toBe(true);
    expect(["fs.read", "fs_read", "Read", "reader"].filter((name) => gate.tools.has(name))).toEqual([]);
    expect(gate.tools.unregister("fs.read")).toBe(false);
    gate.tools.register(tool({ id: "reader" }));
    expect(codeOf(await gate.dispatch({ tool: "reader" }))).toBe("ran");
  });

  it("tells those who listen once about many changes made at once, and not at all about none", async () => {
    const { gate } = await paperGate({ tools: [fsRead] });
    const counts: number[] = [];
    gate.events.on("tools-change", ({ count }) => counts.push(count));
    gate.tools.batch(() => {
      gate.tools.register(tool({ id: "one" }));
      gate.tools.batch(() => gate.tools.register(tool({ id: "two" })));
      gate.tools.unregister("fs.read");
    });
    gate.tools.batch(() => {});
    expect(counts).toEqual([2]);
    expect(() =>
      gate.tools.batch(() => {
        gate.tools.register(tool({ id: "three" }));
        throw new Error("in between");
      }),
    ).toThrow("in between");
    expect(counts).toEqual([2, 3]);
  });
});

describe("an alias", () => {
  it.each([
    ["a missing target", "short", "no.such", /"no.such", which is not a registered tool/],
    ["a chain", "shorter", "Read", /itself another name; point it to "fs.read"/],
    ["a wire name as target", "short", "fs_read", /itself another name; point it to "fs.read"/],
    ["a name that is taken", "Read", "fs.read", /taken/],
    ["a name that is no name", "a b", "fs.read", /may hold only letters/],
  ])("is refused for %s", async (_, name, target, message) => {
    const tools = await register(fsRead);
    expect(() => tools.alias(name, target)).toThrow(message);
  });

  it("is resolved before any rule sees the call", async () => {
    const { gate } = await paperGate({ tools: [tool()], policies: [{ ...no, tools: "x.run" }] });
    gate.tools.alias("harmless", "x.run");
    expect(codeOf(await gate.dispatch({ tool: "harmless" }))).toBe("policy_denied");
  });
});

describe("an unknown name", () => {
  it("is answered with close names", async () => {
    const { gate } = await paperGate({ tools: [fsRead, tool({ id: "fs.write" })] });
    const error = { code: "unknown_tool", hint: 'Did you mean "fs.read"?' };
    expect(await gate.dispatch({ tool: "fs.raed" })).toMatchObject({ ok: false, error });
  });
});

describe("the tools as others see them", () => {
  const off = tool({ id: "shell.exec", category: "shell", permission: "execute" });
  const tooHigh = tool({ id: "git.push", category: "git", permission: "write" });
  const policies = [{ ...no, tools: "x.*" }];

  it("advertises no tool that is switched off, above its ceiling, beyond the caller or always denied", async () => {
    const tools = [fsRead, off, tooHigh, tool(), tool({ id: "n.get", capabilities: ["net:fetch"] })];
    const { gate } = await paperGate({ tools, policies });
    const shown = gate.tools.definitions({ caller: { id: "a", capabilities: [] } });
    expect(shown.map(({ name }) => name)).toEqual(["fs_read"]);
  });

  it("gives a model the wire name, title, description and schema", async () => {
    const inputSchema = { type: "object", required: ["path"] };
    const definition = { name: "fs_read", title: "Read", description: "Does something.", inputSchema };
    expect((await register(fsRead)).definitions()).toMatchObject([definition]);
  });

  it("still advertises a tool that is denied only for some inputs, or that a higher rule may approve", async () => {
    const conditions = [{ type: "path" as const, operator: "contains" as const, value: "secret" }];
    const some = [{ ...no, conditions }];
    const higher = [
      ...policies,
      { name: "yes", tools: "*", action: "approve", priority: 1, conditions } as const,
    ];
    for (const given of [some, higher]) {
      const { gate } = await paperGate({ tools: [tool()], policies: given });
      expect(gate.tools.definitions()).toHaveLength(1);
    }
  });

  it("says for each tool why it is not callable", async () => {
    const { gate } = await paperGate({ tools: [fsRead, off, tooHigh, tool()], policies });
    expect(gate.tools.view().map(({ id, callable, why }) => [id, callable, why?.code])).toEqual([
      ["fs.read", true, undefined],
      ["shell.exec", false, "category_disabled"],
      ["git.push", false, "above_ceiling"],
      ["x.run", false, "policy_denied"],
    ]);
  });

  it("hides writers in plan mode but keeps a shell, whose single commands are judged", async () => {
    const runs = {
      permission: "execute",
      capabilities: ["shell:run"],
      roles: { command: ["command"] },
    } as const;
    const tools = await register(fsRead, tool({ permission: "write" }), tool({ id: "shell.exec", ...runs }));
    const shown = tools.definitions({ mode: "plan" }).map(({ name }) => name);
    expect(shown).toEqual(["fs_read", "shell_exec"]);
  });
});

describe("validateCall", () => {
  it("checks input by any of the tool's names and says nothing about permission", async () => {
    const { gate } = await paperGate({ tools: [fsRead], policies: [no] });
    expect(await gate.tools.validateCall("Read", { path: "a" })).toMatchObject({ ok: true });
    const issues = [{ path: "$.path", message: expect.stringContaining("string") }];
    expect(await gate.tools.validateCall("fs_read", { path: 1 })).toMatchObject({ ok: false, issues });
  });

  it("answers for an unknown tool with a close name", async () => {
    const tools = await register(fsRead);
    const issues = [{ message: expect.stringContaining('Did you mean "fs.read"?') }];
    expect(await tools.validateCall("fs.reed", {})).toMatchObject({ ok: false, issues });
  });
});
