import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../../src/core/input/canonical-json.ts";
import type { Json, JsonObject } from "../../../../src/core/input/json.ts";
import { createRowMaker, fieldsOf } from "../../../../src/stores/ledger/row.ts";
import { words } from "../../../words.ts";

const make = createRowMaker();

const names = words(`
  approval askedFor at callId caller code cwd durationMs input kind message mode ok permission result rule
  sessionId stage surface tool toolUseId verdict
`);
const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
const facts = fc.dictionary(
  fc.oneof(fc.constantFrom(...names), fc.string()),
  json,
) as fc.Arbitrary<JsonObject>;

describe("a row of the ledger", () => {
  it("is the same by the short way and by the general one, whatever the facts", () => {
    fc.assert(
      fc.property(facts, (some) => {
        expect(make.completion(some, 5)).toEqual(make.any("completion", { ...some, recordedAt: 5 }));
        expect(make.intent(some, 5, "p")).toEqual(
          make.any("intent", { ...some, process: "p", recordedAt: 5 }),
        );
      }),
    );
  });

  it("is canonical JSON, and its fields are what its body says", () => {
    fc.assert(
      fc.property(facts, (some) => {
        const { body, fields } = make.completion(some, 5);
        const parsed = JSON.parse(body) as JsonObject;
        expect(canonicalJson(parsed)).toBe(body);
        expect(fields).toEqual(fieldsOf(parsed));
      }),
    );
  });

  it("cannot be made another kind of row by what it tells", () => {
    const { body, fields } = make.completion({ callId: "c", row: "note", v: 2 }, 5);
    expect(JSON.parse(body)).toEqual({ callId: "c", recordedAt: 5, row: "completion", v: 1 });
    expect(fields.kind).toBe("completion");
  });

  it("holds no secret that was given as an id, by every way to make it", () => {
    const key = ["gh", "p_", "a1B2".repeat(9)].join("");
    const given = { callId: "c", sessionId: `x ${key}`, toolUseId: key, tool: "t" };
    const rows = [
      make.completion(given, 5),
      make.intent(given, 5, "p"),
      make.any("completion", { ...given, more: 1 }),
    ];
    for (const { body, fields } of rows) {
      expect(body).not.toContain(key);
      expect(fields.sessionId).toBe("x [redacted:github-token]");
      expect(JSON.parse(body)).toMatchObject({ toolUseId: "[redacted:github-token]" });
    }
  });

  it("keeps the ids that agents give as they are", () => {
    for (const id of words(`
      toolu_01A09q90qw90lq917835lq9 call_aB3dE5gH7jK9mN1pQ3sT5vX7 3f786850-e387-550f-dab8-36ed7e6dc881
      session-1 17
    `)) {
      const { body } = make.completion({ callId: "c", sessionId: id, toolUseId: id }, 5);
      expect(JSON.parse(body)).toMatchObject({ sessionId: id, toolUseId: id });
    }
  });

  it("takes the input of an earlier row as it is", () => {
    const { inputText } = make.intent({ callId: "c", input: { password: "hunter2-hunter2", a: 1 } }, 5, "p");
    const { body } = make.completion({ callId: "c" }, 5, inputText);
    expect(JSON.parse(body).input).toEqual({ a: 1, password: "[redacted:password]" });
  });

  it("keeps the start of a long text", () => {
    const { body } = make.completion({ callId: "c", input: { text: "word ".repeat(100_000) } }, 5);
    expect(body.length).toBeLessThan(20_000);
    expect(body).toContain("more characters");
  });
});
