import { describe, expect, it } from "vitest";
import { chooseSandbox, explainBadSandbox } from "../../../../src/core/tool/sandbox-rules.ts";

const shell = { id: "shell.exec", category: "shell" };

describe("the sandbox of a tool", () => {
  it("is what the most specific word of a place says", () => {
    const own = { "shell.exec": "off" } as const;
    const rules = { mode: "preferred", categories: { shell: "required" }, tools: own } as const;
    expect(chooseSandbox([rules], shell).mode).toBe("off");
    expect(chooseSandbox([rules], { id: "other", category: "shell" }).mode).toBe("required");
    expect(chooseSandbox([rules], { id: "other", category: "code" }).mode).toBe("preferred");
    expect(chooseSandbox([{}], shell, "preferred").mode).toBe("preferred");
    expect(chooseSandbox([], shell).mode).toBe("off");
  });

  it("is the strictest of several places, whatever their order", () => {
    const strict = { categories: { shell: "required" } } as const;
    const loose = { mode: "off", tools: { "shell.exec": "off" } } as const;
    expect(chooseSandbox([strict, loose], shell).mode).toBe("required");
    expect(chooseSandbox([loose, strict], shell).mode).toBe("required");
    expect(chooseSandbox([loose], shell, "preferred").mode).toBe("off");
  });

  it("has a network only if somebody opens it and nobody closes it", () => {
    expect(chooseSandbox([{}], shell).network).toBe(false);
    expect(chooseSandbox([{ network: true }], shell).network).toBe(true);
    expect(chooseSandbox([{ network: true }, { network: false }], shell).network).toBe(false);
  });

  it("knows only names that somebody wrote", () => {
    expect(chooseSandbox([{ tools: {} }], { id: "constructor", category: "__proto__" }).mode).toBe("off");
  });

  it("is refused in code when a mode or a key is misspelt, which must not mean off", () => {
    expect(explainBadSandbox({ mode: "required", categories: { a: "off" } })).toBeUndefined();
    const misspelt = [{ mode: "require" }, { categories: { shell: true } }, { tools: "required" }];
    for (const wrong of [...misspelt, { modes: "off" }, { network: "no" }, "required", null])
      expect(explainBadSandbox(wrong), JSON.stringify(wrong)).toBeTypeOf("string");
  });
});
