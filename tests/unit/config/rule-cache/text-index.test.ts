import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeTextIndex, TextIndex } from "../../../../src/config/rule-cache/text-index.ts";
import type { RequiredText } from "../../../../src/rules/conditions/required-text.ts";
import { occursIn } from "../../../../src/rules/find-route.ts";
import type { CompiledRoute } from "../../../../src/rules/routes.ts";

type Asked = Pick<CompiledRoute, "needs" | "foldsCase" | "field">;

function indexOf(routes: readonly Asked[]): TextIndex {
  return new TextIndex(encodeTextIndex(routes as readonly CompiledRoute[]));
}

function needs(text: RequiredText | undefined, more: Partial<Asked> = {}): Asked {
  return { needs: text, foldsCase: false, field: undefined, ...more };
}

describe("the routes that could match a text", () => {
  it("are found by what they need, and those that need nothing certain always are", () => {
    const routes = [needs("github.com/"), needs(undefined), needs("--force"), needs("ab")];
    const index = indexOf(routes);
    expect(index.count).toBe(4);
    expect(index.possible(["https://github.com/a"])).toEqual([0, 1, 3]);
    expect(index.possible(["git push --force"])).toEqual([1, 2, 3]);
    expect(index.possible([])).toEqual([1, 3]);
  });

  it("are found in any of the texts, each once and in order", () => {
    const index = indexOf([needs("beta"), needs("alpha"), needs("gamma")]);
    expect(index.possible(["alpha alpha", "gamma beta"])).toEqual([0, 1, 2]);
  });

  it("are found by each text of which one is enough", () => {
    const index = indexOf([needs([["first", "second"]]), needs([["first", "x"]])]);
    expect(index.possible(["the second"])).toEqual([0, 1]);
    expect(index.possible(["neither"])).toEqual([1]);
  });

  it("are found whatever the case, if they ignore it, and by letters beyond Latin", () => {
    const index = indexOf([needs("force", { foldsCase: true }), needs("привет"), needs("zażółć")]);
    expect(index.possible(["--FORCE"])).toEqual([0, 1, 2]);
    expect(index.possible(["--other"])).toEqual([1, 2]);
  });

  it("include every route that looks at a field of its own, which is not among the usual texts", () => {
    expect(indexOf([needs("needle", { field: "description" }), needs("needle")]).possible(["x"])).toEqual([
      0,
    ]);
  });

  it("never lack one whose needs are met", () => {
    const word = fc.string({
      unit: fc.constantFrom("a", "b", "A", "é", "ż", "0", "\u0000", "-"),
      maxLength: 9,
    });
    const text = fc.string({
      unit: fc.constantFrom("a", "b", "A", "é", "ż", "0", "\u0000", "-"),
      maxLength: 40,
    });
    const some = word.filter((one) => one !== "");
    const needed = fc.oneof(
      some,
      fc.array(fc.oneof(some, fc.array(some, { minLength: 1, maxLength: 3 })), {
        minLength: 1,
        maxLength: 3,
      }),
    );
    const route = fc.record({ needs: fc.option(needed, { nil: undefined }), foldsCase: fc.boolean() });
    let met = 0;
    fc.assert(
      fc.property(
        fc.array(route, { minLength: 1, maxLength: 12 }),
        fc.array(text, { maxLength: 3 }),
        (all, texts) => {
          const routes = all.map((one) => ({ ...one, field: undefined }));
          const found = new Set(indexOf(routes).possible(texts));
          for (const [index, { needs: wanted, foldsCase }] of routes.entries()) {
            const isMet = texts.some(
              (one) => wanted === undefined || occursIn(wanted, foldsCase ? one.toLowerCase() : one),
            );
            if (isMet && wanted !== undefined) met++;
            if (isMet) expect(found.has(index), JSON.stringify({ wanted, texts })).toBe(true);
          }
        },
      ),
      { numRuns: 5_000 },
    );
    expect(met).toBeGreaterThan(1_000);
  });

  it("are not sought in bytes that are no index", () => {
    const bytes = encodeTextIndex([needs("alpha")] as unknown as CompiledRoute[]);
    expect(() => new TextIndex(Buffer.alloc(bytes.length))).toThrow("damaged");
    expect(() => new TextIndex(Buffer.from(bytes.subarray(0, bytes.length - 4)))).toThrow("damaged");
    expect(() => new TextIndex(Buffer.alloc(0))).toThrow("damaged");
  });
});
