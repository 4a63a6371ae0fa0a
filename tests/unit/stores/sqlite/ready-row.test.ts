import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../src/core/input/json.ts";
import type { LedgerRecord } from "../../../../src/core/ports/ports.ts";
import { createRedactor } from "../../../../src/safe/redact/redact.ts";
import { type Cleaner, createCleaner } from "../../../../src/stores/ledger/clean-text.ts";
import { createRowMaker } from "../../../../src/stores/ledger/row.ts";
import { packRow, timeToCome, unpackRow } from "../../../../src/stores/sqlite/ledger/ready-row.ts";
import { record } from "../../../contract/samples.ts";

const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
/** Few, so that what was written for one record is used for the next. */
const word = fc.constantFrom("a", "b", 'c"\\', "tab\there", "line\nbreak", "\ud800");

/** Every field of a record: one that is new must be known to the short way, too. */
const anyRecord: fc.Arbitrary<Required<LedgerRecord>> = fc.record({
  callId: fc.oneof(fc.string(), word),
  at: fc.nat(),
  durationMs: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
    fc.nat(2_000_000).map((micros) => micros / 1_000),
  ),
  surface: word,
  kind: fc.constantFrom("call", "check"),
  agent: maybe(fc.string()),
  caller: word,
  sessionId: maybe(word),
  toolUseId: maybe(fc.string()),
  cwd: word,
  mode: fc.constantFrom("default", "plan"),
  askedFor: fc.oneof(word, fc.constant("echo --password hunter2-hunter2")),
  tool: word,
  input: fc.dictionary(fc.oneof(fc.string(), fc.constant("password")), json),
  verdict: fc.constantFrom("allow", "deny"),
  ok: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
  code: maybe(fc.string()),
  stage: fc.constant(undefined),
  message: maybe(fc.string()),
  rule: fc.constantFrom(undefined, { kind: "policy", name: "p" }),
  approval: fc.constant(undefined),
  result: fc.option(fc.oneof(fc.string(), fc.constant("token=ghp_0123456789abcdefghijABCDEFGHIJ012345")), {
    nil: undefined,
  }),
  notes: maybe(fc.constantFrom([], ["a note"])),
}) as unknown as fc.Arbitrary<Required<LedgerRecord>>;

function maybe<Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, values);
}

const simple = record("c-1");

function createReady(cleaner: Cleaner) {
  const { completion } = createRowMaker(cleaner);
  return (some: LedgerRecord, inputText?: string) =>
    packRow(completion(some as unknown as JsonObject, timeToCome, inputText));
}

describe("a row that is ready but for its time", () => {
  it("is what the general way makes of the record, whatever the record and those before it", () => {
    const cleaner = createCleaner();
    const ready = createReady(cleaner);
    const make = createRowMaker(cleaner);
    let made = 0;
    fc.assert(
      fc.property(anyRecord, (some) => {
        const text = ready(some);
        if (text === undefined) return;
        made++;
        expect(text).not.toContain("\n");
        const { row, callId } = unpackRow(text, "completion", () => 5);
        const { body, fields } = make.any("completion", {
          ...(some as unknown as JsonObject),
          recordedAt: 5,
        });
        expect(row).toEqual({ body, fields, inputText: undefined });
        expect(callId).toBe(some.callId);
      }),
      { numRuns: 600 },
    );
    expect(made).toBeGreaterThan(100);
  });

  it("takes the input of the intent's row as it stands there", () => {
    const ready = createReady(createCleaner());
    const text = ready({ ...simple, input: { other: 1 } }, '{"as":"it was"}');
    expect(JSON.parse(unpackRow(text ?? "", "completion", () => 5).row.body).input).toEqual({ as: "it was" });
  });

  it("holds no secret of the input or of the result, also one that is known by its value alone", () => {
    const ready = createReady(createCleaner(createRedactor({ secrets: ["correct horse"] })));
    const inInput = ready({ ...simple, input: { text: "a correct horse" } });
    const inResult = ready({ ...simple, result: "ghp_0123456789abcdefghijABCDEFGHIJ012345 correct horse" });
    expect(inInput).toContain('"text":"a [redacted');
    expect(inInput).not.toContain("correct horse");
    expect(inResult).toContain('"result":"[redacted');
    expect(inResult).not.toMatch(/ghp_|correct horse/);
  });

  it.each(["tool", "sessionId", "callId"])("is not made where the %s holds a tab", (field) => {
    expect(createReady(createCleaner())({ ...simple, [field]: "a\tb" })).toBeUndefined();
  });
});
