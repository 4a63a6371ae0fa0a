import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore, verifyExport } from "../../src/open/open-store.ts";
import { readAnchorStatus, writeAnchorStatus } from "../../src/stores/anchors/anchor-status.ts";
import { compareAnchor } from "../../src/stores/anchors/compare-anchor.ts";
import { intent, record } from "../contract/ledger.ts";

/** A state folder with four signed checkpoints and an anchor elsewhere; `older` is a copy of the folder after the second. */
const base = mkdtempSync(join(tmpdir(), "toolgate-anchors-"));
const good = join(base, "good");
const older = join(base, "older");
const goodAnchor = join(base, "good-anchor.jsonl");

beforeAll(async () => {
  for (const [round, calls] of [3, 3, 4, 5].entries()) {
    await work(good, goodAnchor, `r${round}`, calls);
    if (round === 1) cpSync(good, older, { recursive: true });
  }
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

async function work(stateFolder: string, anchor: string, name: string, calls: number): Promise<string[]> {
  const told: string[] = [];
  const store = await openStore({
    stateFolder,
    anchors: [{ file: anchor }],
    onAnchor: (message) => told.push(message),
  });
  for (let index = 0; index < calls; index++) {
    await store.ledger.open(intent(`${name}-${index}`));
    await store.ledger.close(record(`${name}-${index}`));
  }
  await store.close();
  return told;
}

async function verify(stateFolder: string, anchor?: string, copies: string[] = []) {
  const comparedAnchors = anchor === undefined ? [] : [{ file: anchor }];
  await using store = await openStore({ stateFolder, comparedAnchors });
  return await store.ledger.verify({ anchorCopies: copies });
}

const linesOf = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n");
const writeLines = (file: string, lines: readonly string[]) =>
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
const checkpoints = (folder: string) => join(folder, "checkpoints.jsonl");

interface World {
  readonly state: string;
  readonly anchor: string;
}

function createWorld(): World {
  const folder = mkdtempSync(join(base, "world-"));
  const world = { state: join(folder, "state"), anchor: join(folder, "anchor.jsonl") };
  cpSync(good, world.state, { recursive: true });
  copyFileSync(goodAnchor, world.anchor);
  // How far an anchor is, is kept under its path.
  writeAnchorStatus(world.state, { file: world.anchor }, readAnchorStatus(good, { file: goodAnchor }));
  return world;
}

/** Takes the end off the database as somebody could who may write everything in the state folder. */
function cutDatabase(state: string, left: number): void {
  const database = new DatabaseSync(join(state, "toolgate.sqlite"));
  database.prepare("DELETE FROM ledger WHERE seq > ?").run(left);
  const hash = String(database.prepare("SELECT hash FROM ledger WHERE seq = ?").get(left)?.hash);
  database.prepare("UPDATE ledger_head SET seq = ?, hash = ?, checkpoint_seq = ?").run(left, hash, left);
  database.close();
}

const seqOf = (line: string) => (JSON.parse(line) as { seq: number }).seq;

function putBack({ state }: World): void {
  rmSync(state, { recursive: true });
  cpSync(older, state, { recursive: true });
}

function cutBehind({ state }: World, left: readonly string[]): void {
  writeLines(checkpoints(state), left);
  cutDatabase(state, seqOf(left.at(-1) ?? ""));
}

/** What is done to the state folder alone: the ledger by itself looks whole afterwards. */
const onTheState: Readonly<Record<string, (world: World) => void | Promise<void>>> = {
  "the end of the database and of the checkpoints is cut off together": (world) =>
    cutBehind(world, linesOf(checkpoints(world.state)).slice(0, 3)),
  "only the last checkpoint's rows are cut off, with their checkpoint": (world) =>
    cutBehind(world, linesOf(checkpoints(world.state)).slice(0, -1)),
  "an older copy of the whole state folder is put back": putBack,
  "an older copy is put back, and calls go on until there are more records than before": async (world) => {
    putBack(world);
    const told = await work(world.state, world.anchor, "after", 20);
    expect(told.join("\n")).toContain("toolgate audit verify");
  },
  "an older copy is put back, calls go on unanchored for a while, then anchored": async (world) => {
    putBack(world);
    const { state, anchor } = world;
    await work(state, join(state, "..", "elsewhere.jsonl"), "quiet", 20);
    await work(state, anchor, "after", 2);
    await work(state, anchor, "more", 2);
  },
  "the state folder is deleted": ({ state }) => rmSync(state, { recursive: true }),
  "the state folder is deleted, and a new ledger begins": async ({ state, anchor }) => {
    rmSync(state, { recursive: true });
    const told = await work(state, anchor, "new", 20);
    expect(told.join("\n")).toContain("toolgate audit verify");
  },
  "database, checkpoints and keys are deleted, the rest stays": ({ state }) => {
    for (const name of ["toolgate.sqlite", "toolgate.sqlite-wal", "toolgate.sqlite-shm", "checkpoints.jsonl"])
      rmSync(join(state, name), { force: true });
    rmSync(join(state, "keys"), { recursive: true });
  },
  "the folder of somebody else's ledger takes its place": async ({ state }) => {
    rmSync(state, { recursive: true });
    await work(state, join(state, "..", "theirs.jsonl"), "theirs", 20);
  },
};

describe("a ledger with an anchor", () => {
  it("is whole where nothing was done, and the anchor says so", async () => {
    const { state, anchor } = createWorld();
    const { ok, problems, anchors, lastSeq } = await verify(state, anchor);
    expect(problems).toEqual([]);
    expect(ok).toBe(true);
    expect(anchors).toEqual([{ name: anchor, seq: lastSeq, behind: 0 }]);
    expect(linesOf(anchor)).toEqual(linesOf(checkpoints(state)));
  });

  it.for(Object.entries(onTheState))(
    "shows that %s, which nothing in the folder shows",
    async ([, attack]) => {
      const world = createWorld();
      await attack(world);
      // By its own files the ledger is whole: this is why there are anchors.
      expect((await verify(world.state)).problems).toEqual([]);
      const { ok, problems } = await verify(world.state, world.anchor);
      expect(ok).toBe(false);
      expect(problems.map(({ kind }) => kind)).toContainEqual(
        expect.stringMatching(/^(?:truncated|replaced)$/),
      );
    },
  );

  it("says which records are missing, and since when", async () => {
    const world = createWorld();
    const last = linesOf(world.anchor).at(-1) ?? "";
    putBack(world);
    const { problems } = await verify(world.state, world.anchor);
    const kept = seqOf(linesOf(checkpoints(older)).at(-1) ?? "");
    const { at, seq } = JSON.parse(last) as { at: number; seq: number };
    expect(problems[0]?.message).toContain(`Records ${kept + 1} to ${seq} are missing`);
    expect(problems[0]?.message).toContain(new Date(at).toISOString());
    expect(problems[0]?.seq).toBe(kept + 1);
  });

  it("is compared with a copy of an anchor that no configuration names, and with an excerpt of a log", async () => {
    const world = createWorld();
    const copy = join(base, "copy.log");
    const lines = linesOf(goodAnchor).slice(1);
    writeLines(
      copy,
      lines.map((line) => `Nov 16 10:00:00 host toolgate[17]: ${line}`),
    );
    expect((await verify(world.state, undefined, [copy])).problems).toEqual([]);
    putBack(world);
    expect((await verify(world.state, undefined, [copy])).problems).toMatchObject([{ kind: "truncated" }]);
  });

  it("is compared as an export, too", async () => {
    const store = await openStore({ stateFolder: older });
    const lines: string[] = [];
    for await (const line of store.ledger.export()) lines.push(line);
    await store.close();
    expect(await verifyExport(lines)).toMatchObject({ ok: true });
    const { problems } = await verifyExport(lines, { anchorCopies: [goodAnchor] });
    expect(problems).toMatchObject([{ kind: "truncated" }]);
  });
});

/** What is done to the anchor alone. */
const onTheAnchor: Readonly<Record<string, (lines: string[]) => string[]>> = {
  "a line in its middle is removed": (lines) => lines.toSpliced(1, 1),
  "its first line is removed": (lines) => lines.slice(1),
  "a line says something else": (lines) =>
    lines.map((line, index) => (index === 2 ? line.replace(/"seq":\d+/, '"seq":1') : line)),
  "its last line says something else": (lines) => [
    ...lines.slice(0, -1),
    (lines.at(-1) ?? "").replace(/"at":\d+/, '"at":1'),
  ],
  "two lines change places": ([one = "", two = "", ...rest]) => [two, one, ...rest],
  "its lines stand backwards": (lines) => lines.toReversed(),
  "a foreign line is added": (lines) => [...lines, "hello"],
  "a foreign line stands in the middle": (lines) => lines.toSpliced(2, 0, '{"v":1}'),
  "a line lost its end": (lines) => lines.map((line, index) => (index === 1 ? line.slice(0, 40) : line)),
  "it is emptied": () => [],
};

describe("the file of an anchor", () => {
  it.for(Object.entries(onTheAnchor))("shows that %s", async ([, attack]) => {
    const { state, anchor } = createWorld();
    writeLines(anchor, attack(linesOf(anchor)));
    const { ok, problems } = await verify(state, anchor);
    expect(problems.map(({ kind }) => kind)).toContain("anchor");
    expect(ok).toBe(false);
  });

  it("is missed when it was deleted", async () => {
    const { state, anchor } = createWorld();
    rmSync(anchor);
    expect((await verify(state, anchor)).problems).toMatchObject([{ kind: "anchor" }]);
  });

  it("is said to be behind when its last line was removed, and gets that line again", async () => {
    const { state, anchor } = createWorld();
    const whole = linesOf(anchor);
    writeLines(anchor, whole.slice(0, -1));
    expect((await verify(state, anchor)).anchors).toMatchObject([{ behind: 1 }]);
    await work(state, anchor, "x", 1);
    expect(linesOf(anchor).slice(0, whole.length)).toEqual(whole);
    expect((await verify(state, anchor)).problems).toEqual([]);
  });

  it("is no anchor if it is a folder, a pipe, or inside the state folder: that is told, and calls go on", async () => {
    const { state, anchor } = createWorld();
    for (const file of [base, "/dev/null", join(state, "anchor.jsonl"), join(base, "no", "such", "folder")]) {
      const told = await work(state, file, `bad-${file}`, 1);
      expect(told.join("\n"), file).toContain("does not take the ledger's checkpoints");
    }
    expect((await verify(state, anchor)).problems).toEqual([]);
  });

  it("goes on behind a line that somebody left unfinished", async () => {
    const { state, anchor } = createWorld();
    appendFileSync(anchor, "half");
    await work(state, anchor, "x", 1);
    const lines = linesOf(anchor);
    expect(lines.at(-1)).toBe(linesOf(checkpoints(state)).at(-1));
    expect((await verify(state, anchor)).problems).toMatchObject([{ kind: "anchor" }, { kind: "anchor" }]);
  });

  it("takes what two processes bring at the same time, and stays readable", async () => {
    const { state, anchor } = createWorld();
    await Promise.all([1, 2, 3, 4].map((n) => work(state, anchor, `p${n}`, 5)));
    await work(state, anchor, "last", 1);
    expect((await verify(state, anchor)).problems).toEqual([]);
    expect(new Set(linesOf(anchor))).toEqual(new Set(linesOf(checkpoints(state))));
  });

  it("keeps its place over a cut by retention", async () => {
    const { state, anchor } = createWorld();
    await using store = await openStore({ stateFolder: state, anchors: [{ file: anchor }] });
    await store.ledger.removeBefore(Date.now() + 1_000);
    await store.close();
    expect(linesOf(anchor).some((line) => line.includes('"kind":"cut"'))).toBe(true);
    expect((await verify(state, anchor)).problems).toEqual([]);
  });
});

/** Comparisons that forget something: each must miss one of the attacks above, or the attacks prove nothing. */
const mutants: Readonly<Record<string, (lines: readonly string[], signed: readonly string[]) => boolean>> = {
  "look at the last line only": (lines, signed) => signed.includes(lines.at(-1) ?? ""),
  "count the lines": (lines, signed) => lines.length === signed.length,
  "ask only whether every line was signed here": (lines, signed) =>
    lines.every((line) => signed.includes(line)),
};

describe("a comparison that would", () => {
  it.for(Object.entries(mutants))("%s misses what the real one finds", ([, isWhole]) => {
    const signed = linesOf(checkpoints(good));
    const { ledger } = JSON.parse(signed[0] ?? "") as { ledger: string };
    const publicKey = readFileSync(join(good, "keys", "ledger.pub.pem"), "utf8");
    const all = Object.values(onTheAnchor).map((attack) => attack([...signed]));
    const attacked = all.filter((lines) => lines.length > 0);
    expect(attacked.some((lines) => isWhole(lines, signed))).toBe(true);
    for (const lines of attacked) {
      const state = { ledgerId: ledger, publicKey, lines: signed };
      expect(compareAnchor({ name: "a", lines, isExcerpt: false }, state).problems).not.toEqual([]);
    }
  });
});

it("a cut database alone is still found without an anchor", async () => {
  const { state } = createWorld();
  truncateSync(checkpoints(state), 0);
  expect((await verify(state)).ok).toBe(false);
});
