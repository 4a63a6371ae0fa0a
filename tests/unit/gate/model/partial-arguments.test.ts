import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPartialArguments } from "../../../../src/gate/model/partial-arguments.ts";
import { paperGate, tool } from "../../paper-gate.ts";

/** What is there is the beginning of the whole: nothing is made up, nothing comes in another order. */
function isBeginningOf(part: unknown, whole: unknown): boolean {
  if (typeof whole === "string") return typeof part === "string" && whole.startsWith(part);
  // A number that is half there is another number.
  if (typeof whole === "number") return typeof part === "number";
  if (Array.isArray(whole))
    return (
      Array.isArray(part) &&
      part.length <= whole.length &&
      part.every((one, index) => isBeginningOf(one, whole[index]))
    );
  if (typeof whole === "object" && whole !== null) {
    if (typeof part !== "object" || part === null) return false;
    return Object.entries(part).every(
      ([key, value]) => Object.hasOwn(whole, key) && isBeginningOf(value, (whole as never)[key]),
    );
  }
  return part === whole;
}

describe("arguments that a model is still writing", () => {
  it.each([
    ["", {}],
    ["{", {}],
    ['{"pa', {}],
    ['{"path"', {}],
    ['{"path":', {}],
    ['{"path":"src/a', { path: "src/a" }],
    ['{"path":"a\\', { path: "a" }],
    ['{"path":"a\\u00', { path: "a" }],
    ['{"path":"a\\ud83d', { path: "a" }],
    ['{"path":"a\\ud83d\\ude', { path: "a" }],
    ['{"path":"a\ud83d', { path: "a" }],
    ['{"path":"a","force":tr', { path: "a" }],
    ['{"path":"a","force":true', { path: "a", force: true }],
    ['{"list":[1,{"x":"y', { list: [1, { x: "y" }] }],
    ['{"url":"http://a', { url: "http://a" }],
  ])("%j are read as far as they go", async (text, expected) => {
    expect(await readPartialArguments(text, false)).toEqual(expected);
  });

  it("are at each moment the beginning of what they become", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ stringUnit: "grapheme" })),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (given, where) => {
          const text = JSON.stringify(given);
          const cut = text.slice(0, Math.ceil(text.length * where));
          const whole = JSON.parse(text) as unknown;
          if (text.includes("__proto__")) return;
          expect(isBeginningOf(await readPartialArguments(cut, false), whole)).toBe(true);
          expect(await readPartialArguments(text, true)).toEqual(whole);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("reach the tool as an object, and are whole at the end", async () => {
    const seen: unknown[] = [];
    const preview = tool({ onPartial: (block: unknown) => void seen.push(block) });
    const { gate } = await paperGate({ tools: [preview] });
    const send = (input: string, complete = false) =>
      gate.partial({ tool: "x_run", toolUseId: "u", input, complete });
    expect(await send('{"path":"a')).toEqual({ ok: true, handled: true });
    expect(await send('{"path":"ab"}', true)).toEqual({ ok: true, handled: true });
    expect(seen).toEqual([
      { toolUseId: "u", input: { path: "a" }, complete: false },
      { toolUseId: "u", input: { path: "ab" }, complete: true },
    ]);
  });

  it.each([
    ["no JSON at the end", '{"path":', true],
    ["a list", "[1,2", false],
    ["nested without end", '{"a":'.repeat(100_000), false],
    ["a prototype of its own", '{"__proto__":{"path":"a"}', false],
  ])("are refused as %s, and never throw", async (_what, input, complete) => {
    const seen: unknown[] = [];
    const { gate } = await paperGate({
      tools: [tool({ onPartial: (block: unknown) => void seen.push(block) })],
    });
    const told = await gate.partial({ tool: "x.run", toolUseId: "u", input, complete });
    expect(told).toMatchObject({ ok: false, error: { code: "bad_call" } });
    expect(seen).toEqual([]);
  });
});
