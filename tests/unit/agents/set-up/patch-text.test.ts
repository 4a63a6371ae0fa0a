import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import * as patch from "../../../../src/agents/set-up/patch-text.ts";

const patchText = (text: string, from: unknown, to: unknown) => patch.patchText(text, from, to) ?? "";

/** What settings look like: objects in objects, lists of objects. */
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 1, "a", 'b"\\'),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("hooks", "PreToolUse", "a b", "x"), tie("value"), { maxKeys: 4 }),
  ),
})).value;
const objects = fc.dictionary(fc.constantFrom("hooks", "model", "env"), values);

describe("a text that is to hold another value", () => {
  it("holds it afterwards, however it was written", () => {
    fc.assert(
      fc.property(objects, objects, fc.constantFrom(undefined, 2, 4, "\t"), (from, to, indent) => {
        const text = JSON.stringify(from, null, indent);
        expect(JSON.parse(patchText(text, from, to))).toEqual(to);
      }),
      {
        numRuns: 300,
        examples: [[{ hooks: [[null, null], {}] }, { hooks: [[], null] }, undefined]],
      },
    );
  });

  it.for([
    ['{ "a" : 1, // one\n  "b": [1,  2], /* two */ "c": 3 }', '{ "a" : 1, // one\n  /* two */ "c": 3 }', "b"],
    ['{\n  "a": 1, // one\n  "b": 2 // two\n}', '{\n  "a": 1 // one\n  // two\n}', "b"],
    ['{"a":1,"b":2,}', '{"a":1,}', "b"],
    ['{"b":2 ,"a":1}', '{"a":1}', "b"],
    ['{ "b": 2 }', "{ }", "b"],
    ['{"a" :1,\n"b": [2]}', '{"a" :1\n}', "b"],
  ] as const)("loses what goes, one comma and no comment: %s", ([text, wanted, name]) => {
    const from = parse(text, [], { allowTrailingComma: true }) as Record<string, unknown>;
    const { [name]: _, ...rest } = from;
    expect(patchText(text, from, rest)).toBe(wanted);
  });
});
