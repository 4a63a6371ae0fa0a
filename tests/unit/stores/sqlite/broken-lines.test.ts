import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StoreLedger } from "../../../../src/core/ports/store.ts";
import { summedLine } from "../../../../src/core/text/summed-line.ts";
import { findFrame, frameLine, journalForm, spoolForm } from "../../../../src/stores/ledger/spool/frames.ts";
import { createSqliteLedger } from "../../../../src/stores/sqlite/ledger/sqlite-ledger.ts";
import { record } from "../../../contract/ledger.ts";
import { openStoreIn, temporaryFolder } from "./temporary-store.ts";

const journalLine = (callId: string) => `${frameLine(JSON.stringify(record(callId)))}\n`;
const spoolLine = (callId: string) =>
  `${summedLine(JSON.stringify({ v: 2, event: "check", ...record(callId) }))}\n`;
const today = new Date().toISOString().slice(0, 10);

function write(folder: string, name: string, text: string): void {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), text);
}

async function openLedger(folder: string): Promise<StoreLedger> {
  return createSqliteLedger(await openStoreIn(folder));
}

async function callsOf(ledger: StoreLedger): Promise<(string | undefined)[]> {
  const { entries } = await ledger.query({}, { limit: 1_000, order: "oldest" });
  return entries.map(({ callId }) => callId);
}

function asideOf(folder: string): string[] {
  const names = readdirSync(join(folder, "aside"));
  return names.map((name) => readFileSync(join(folder, "aside", name), "utf8"));
}

describe("a line of a journal that is no record", () => {
  it.each([
    ["null", "dead.0.jsonl"],
    ["[1]", "dead.0.jsonl"],
    ["i\tnull", "dead.0.jsonl"],
    ["c\t{\t}\t1", "dead.0.jsonl"],
    ["null", "dead.0.lines"],
    ["{}", "dead.0.lines"],
    [frameLine("null"), "dead.0.lines"],
    [frameLine("c\tnull\t\t"), "dead.0.lines"],
    ["\0".repeat(5_000), "dead.0.lines"],
  ])("does not end the start, and is kept aside: %j in %s", async (line, name) => {
    const folder = temporaryFolder();
    const old = (callId: string) => `${JSON.stringify(record(callId))}\n`;
    const good = name.endsWith(".jsonl") ? old : journalLine;
    write(folder, `journal/${name}`, `${good("a")}${line}\n${good("b")}`);
    const ledger = await openLedger(folder);
    expect(await callsOf(ledger)).toEqual(["a", "b"]);
    expect(asideOf(folder)).toEqual([`${line}\n`]);
    expect((await ledger.verify()).problems.map(({ kind }) => kind)).toEqual(["rejected"]);
    const { entries } = await ledger.query({ kinds: ["note"] });
    expect(entries[0]?.body).toMatchObject({ code: "line_rejected" });
  });

  it("is told from what it was before somebody changed a byte of it", async () => {
    const folder = temporaryFolder();
    const changed = journalLine("b").replace("x_run", "y_run");
    write(folder, "journal/dead.0.lines", journalLine("a") + changed + journalLine("c"));
    const ledger = await openLedger(folder);
    expect(await callsOf(ledger)).toEqual(["a", "c"]);
    expect(asideOf(folder)).toEqual([changed]);
  });

  it("is the end of one that was cut", async () => {
    const folder = temporaryFolder();
    write(folder, "journal/dead.0.lines", journalLine("a") + journalLine("b").slice(0, -20));
    const ledger = await openLedger(folder);
    expect(await callsOf(ledger)).toEqual(["a"]);
    expect(asideOf(folder)).toEqual([journalLine("b").slice(0, -20)]);
    expect((await ledger.verify()).ok).toBe(false);
  });

  it("stops nobody where the journal belongs to a process that runs", async () => {
    const folder = temporaryFolder();
    const ledger = await openLedger(folder);
    await ledger.close(record("a"));
    const [name = ""] = readdirSync(join(folder, "journal"));
    appendFileSync(join(folder, "journal", name), "garbage\nnull\n");
    expect(await callsOf(ledger)).toEqual(["a"]);
    expect(asideOf(folder)).toEqual(["garbage\nnull\n"]);
  });
});

describe("a line of the spool", () => {
  it("is not glued to what a process could not finish before it", async () => {
    const folder = temporaryFolder();
    const torn = spoolLine("torn").slice(0, 70);
    write(folder, `spool/${today}.jsonl`, `${spoolLine("a")}${torn}${spoolLine("b")}null\n${spoolLine("c")}`);
    const ledger = await openLedger(folder);
    expect(await callsOf(ledger)).toEqual(["a", "b", "c"]);
    expect(asideOf(folder).sort()).toEqual(["null\n", torn].sort());
  });

  it("of an older version is taken as before, and a new one without its sum is not", async () => {
    const folder = temporaryFolder();
    const old = `${JSON.stringify({ v: 1, event: "check", ...record("old") })}\n`;
    const bare = `${JSON.stringify({ v: 2, event: "check", ...record("bare") })}\n`;
    write(folder, `spool/${today}.jsonl`, old + bare + spoolLine("new"));
    const ledger = await openLedger(folder);
    expect(await callsOf(ledger)).toEqual(["old", "new"]);
    expect(asideOf(folder)).toEqual([bare]);
  });
});

it("whatever is cut out of a journal or written into it, the lines that are whole are taken, in order, and nothing else", async () => {
  const folder = temporaryFolder();
  const ledger = await openLedger(folder);
  const marks = fc.constantFrom("\n", "null\n", "~", "\t~3 ");
  const garbage = fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), marks);
  const damage = fc.record({ at: fc.nat(6_000), cut: fc.nat(700), insert: garbage });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(damage, { maxLength: 3 }),
      async (count, damages) => {
        const id = `run${++run}`;
        const lines = Array.from({ length: count }, (_, index) => journalLine(`${id}-${index}`));
        let text = Buffer.from(lines.join(""));
        for (const { at, cut, insert } of damages)
          text = Buffer.concat([text.subarray(0, at), Buffer.from(insert), text.subarray(at + cut)]);
        write(folder, `journal/${id}.0.lines`, "");
        writeFileSync(join(folder, "journal", `${id}.0.lines`), text);
        await ledger.verify();
        const { entries } = await ledger.query({ text: `${id}-` }, { limit: 100, order: "oldest" });
        const taken = entries.map(({ callId }) => callId).filter((callId) => callId?.startsWith(`${id}-`));
        // Whole: with the line break behind it. What stands before it may be anything.
        const whole = lines.flatMap((line, index) => (text.includes(line) ? [`${id}-${index}`] : []));
        expect(taken).toEqual(whole);
      },
    ),
    { numRuns: 60 },
  );
  expect((await ledger.verify()).problems.every(({ kind }) => kind === "rejected")).toBe(true);
});

it("both ways to write a sum agree with the one that reads it", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string({ unit: "binary" }), { minKeys: 1 }), (facts) => {
      const json = JSON.stringify(facts);
      const summed = Buffer.from(summedLine(json));
      expect(JSON.parse(summed.toString())).toMatchObject(facts.sum === undefined ? facts : {});
      const inSpool = findFrame(summed, 0, summed.length, spoolForm);
      expect(`${summed.toString("utf8", inSpool?.from, inSpool?.to)}}`).toBe(json);
      const framed = Buffer.from(frameLine(json));
      const inJournal = findFrame(framed, 0, framed.length, journalForm);
      expect(framed.toString("utf8", inJournal?.from, inJournal?.to)).toBe(json);
    }),
  );
});
