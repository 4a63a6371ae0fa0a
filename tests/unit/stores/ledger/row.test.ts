import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../../src/core/canonical-json.ts";
import type { Json, JsonObject } from "../../../../src/core/json.ts";
import type { LedgerRecord } from "../../../../src/core/ports.ts";
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

/** Every field of a record: one that is new must be known to the short way, too. */
const record: fc.Arbitrary<Required<LedgerRecord>> = fc.record({
  callId: fc.string(),
  at: fc.nat(),
  durationMs: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
  surface: fc.string(),
  kind: fc.constantFrom("call", "check"),
  agent: maybe(fc.string()),
  caller: fc.string(),
  sessionId: maybe(fc.string()),
  toolUseId: maybe(fc.string()),
  cwd: fc.string(),
  mode: fc.constantFrom("default", "plan"),
  askedFor: fc.oneof(fc.string(), fc.constant("echo --password hunter2-hunter2")),
  tool: fc.string(),
  input: fc.dictionary(fc.oneof(fc.string(), fc.constant("password")), json),
  verdict: fc.constantFrom("allow", "deny"),
  ok: fc.boolean(),
  code: maybe(fc.string()),
  stage: fc.constant(undefined),
  message: maybe(fc.string()),
  rule: fc.constantFrom(undefined, { kind: "policy", name: "p" }),
  approval: fc.constant(undefined),
  result: maybe(fc.oneof(fc.string(), fc.constant("token=ghp_0123456789abcdefghijABCDEFGHIJ012345"))),
  notes: fc.constantFrom(undefined, [], ["a note"]),
}) as unknown as fc.Arbitrary<Required<LedgerRecord>>;

function maybe<Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, values);
}

describe("a row of the ledger", () => {
  it("of a call that succeeded is the same by the shortest way, whatever the record", () => {
    let short = 0;
    fc.assert(
      fc.property(record, (some) => {
        const row = make.success(some, 5);
        if (row === undefined) return;
        short++;
        expect(row).toEqual(make.any("completion", { ...(some as unknown as JsonObject), recordedAt: 5 }));
      }),
      { numRuns: 2_000 },
    );
    expect(short).toBeGreaterThan(10);
  });

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
