import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../../../src/core/input/canonical-json.ts";
import type { Json } from "../../../../src/core/input/json.ts";
import { parseJson, takeJson } from "../../../../src/safe/schema/json-guard.ts";

describe("takeJson", () => {
  test("copies any JSON value and freezes the copy", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        fc.pre(!JSON.stringify(value).includes("__proto__"));
        const taken = takeJson(value);
        expect(taken.ok && JSON.stringify(taken.value)).toBe(JSON.stringify(value));
        if (taken.ok && typeof taken.value === "object") expect(Object.isFrozen(taken.value)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("drops undefined members as JSON does and keeps lone surrogates", () => {
    expect(takeJson({ a: undefined, b: "\ud800" })).toMatchObject({ ok: true, value: { b: "\ud800" } });
    expect(canonicalJson("\ud800")).toBe('"\\ud800"');
  });

  test("takes null prototypes and ordinary words such as constructor", () => {
    const value = Object.assign(Object.create(null), { constructor: 1, prototype: 2 });
    expect(takeJson(value)).toMatchObject({ ok: true, value: { constructor: 1, prototype: 2 } });
  });

  test.each([
    [{ a: [1, { b: Number.NaN }] }, "$.a[1].b", "NaN is not a JSON number"],
    [{ "a b": undefined, c: [undefined] }, "$.c[0]", "undefined is not JSON"],
    [{ "a b": 1n }, '$["a b"]', "a bigint is not JSON"],
    [{ d: new Date(0) }, "$.d", "not a plain object"],
  ])("names the place of what it refuses (%#)", (value, path, message) => {
    const taken = takeJson(value);
    expect(taken.ok ? taken : { path: taken.path, message: taken.message }).toEqual({
      path,
      message: expect.stringContaining(message),
    });
  });

  test("counts bytes, keys and depth against the given limits", () => {
    expect(takeJson([[[1]]], { maxDepth: 3 }).ok).toBe(true);
    expect(takeJson([[[1]]], { maxDepth: 2 })).toMatchObject({ ok: false, path: "$[0][0]" });
    expect(takeJson({ a: 1, b: { c: 1 } }, { maxKeys: 2 })).toMatchObject({ ok: false, path: "$.b" });
    expect(takeJson("x".repeat(200), { maxBytes: 100 }).ok).toBe(false);
    const taken = takeJson({ name: "value" });
    expect(taken.ok && Math.abs(taken.bytes - 16)).toBeLessThan(4);
  });
});

describe("parseJson", () => {
  test("reads what JSON.parse reads", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.integer({ min: 0, max: 3 }), (text, indent) => {
        fc.pre(!text.includes("__proto__"));
        const value = JSON.parse(text);
        const spaced = JSON.stringify(value, null, indent);
        const taken = parseJson(spaced);
        expect(taken.ok && JSON.stringify(taken.value)).toBe(JSON.stringify(value));
        expect(taken.ok && taken.bytes).toBe(Buffer.byteLength(spaced));
      }),
      { numRuns: 300 },
    );
  });

  test.each(["", "{", "{'a':1}", '{"a":1,}', "[1 2]", "nul", '"\u0001"', "01", '{"a":1}{"b":2}'])(
    "refuses %j as a value",
    (text) => {
      expect(parseJson(text)).toMatchObject({
        ok: false,
        message: expect.stringContaining("not valid JSON"),
      });
    },
  );

  test("names the key that appears twice, however it is written", () => {
    expect(parseJson('{"a":{"x:y":1,"\\u0078:y":2}}')).toMatchObject({
      ok: false,
      message: expect.stringContaining('"x:y"'),
    });
    expect(parseJson('[{"a":1},{"a":2}]').ok).toBe(true);
    expect(parseJson('{"a":"{\\"b\\":1,\\"b\\":2}"}').ok).toBe(true);
  });
});

describe("canonicalJson", () => {
  test("gives one text for one value, whatever the order of keys", () => {
    expect(canonicalJson({ b: [1, { d: null, c: true }], a: "\u20ac" })).toBe(
      '{"a":"\u20ac","b":[1,{"c":true,"d":null}]}',
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed as Json)).toBe(canonicalJson(value as Json));
        expect(JSON.parse(canonicalJson(value as Json))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 200 },
    );
  });

  test("sorts by UTF-16 code units and writes numbers as RFC 8785 does", () => {
    expect(canonicalJson({ "\u{1f600}": 1, "\ufb33": 2, "1": 3, "\r": 4 })).toBe(
      '{"\\r":4,"1":3,"\u{1f600}":1,"\ufb33":2}',
    );
    expect(canonicalJson([1e30, 4.5, 2e-3, 1e-27, -0, Number("333333333.33333329")])).toBe(
      "[1e+30,4.5,0.002,1e-27,0,333333333.3333333]",
    );
    expect(() => canonicalJson(Number.NaN)).toThrow(TypeError);
  });
});
