import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../../src/core/canonical-json.ts";
import type { Json, JsonObject } from "../../../../src/core/json.ts";
import { createRowMaker, fieldsOf } from "../../../../src/stores/ledger/row.ts";

const make = createRowMaker();

const names =
  "approval askedFor at callId caller code cwd durationMs input kind message mode ok permission result rule sessionId stage surface tool toolUseId verdict".split(
    " ",
  );
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
