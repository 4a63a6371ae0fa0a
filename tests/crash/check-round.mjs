// What must hold after a process was killed: nothing acknowledged is lost, nothing was done without an intent, nothing was done twice.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const { openStore } = await import("../../dist/open/open-store.js");

/** Opens the store as the next process would, which is the recovery. */
export async function checkRound(folder, victim, { seen = newlySeen(), thorough = true } = {}) {
  const startedAt = performance.now();
  const store = await openStore({ stateFolder: join(folder, "state") });
  const recoveryMs = performance.now() - startedAt;
  try {
    const problems = [];
    // Before the rows: the survivor goes on meanwhile.
    const acks = linesOf(folder, "acks.log").map((line) => line.split(" "));
    const effects = linesOf(folder, "effects.log");
    await store.ledger.takeSpool();
    const { rows, kinds } = seen;
    const isAll = () =>
      effects.every((id) => kinds.get(id)?.includes("intent")) &&
      acks.every(([id]) => id === "error" || kinds.get(id)?.includes("completion"));
    // What the survivor has begun and acknowledged may still be in its journal, for a moment.
    for (const until = Date.now() + 3_000; ; await sleep(10)) {
      await readRows(store.ledger, seen);
      if (isAll() || Date.now() > until) break;
    }

    const wrong = (name, list) => {
      if (list.length > 0) problems.push(`${name}: ${list.slice(0, 3).join(", ")}`);
      return list.length;
    };
    const errors = acks.filter(([id]) => id === "error").map((words) => words.slice(1).join(" "));
    wrong("calls that failed", errors);
    const acknowledged = acks.map(([id]) => id).filter((id) => id !== "error");
    const lost = wrong(
      "acknowledged and lost",
      acknowledged.filter((id) => kinds.get(id)?.filter((kind) => kind === "completion").length !== 1),
    );
    const unrecorded = wrong(
      "done without an intent",
      effects.filter((id) => kinds.get(id)?.includes("intent") !== true),
    );
    const doubled = wrong("done twice", repeated(effects));

    // What the dead process began has an end of some kind; and what was claimed cannot be claimed, and so not be done, again.
    const ofVictim = rows.filter(({ body }) => body.caller === victim);
    const intents = ofVictim.filter(({ kind }) => kind === "intent");
    wrong(
      "begun and without an end",
      intents.filter(({ callId }) => ends(kinds.get(callId)) !== 1).map(({ callId }) => callId),
    );
    const again = await claimAgain(store, ofVictim, new Set(effects));
    wrong("claimed twice", again);

    const spooled = linesOf(folder, "spooled.log");
    wrong(
      "spool lines not taken exactly once",
      spooled.filter((id) => kinds.get(id)?.length !== 1),
    );

    // Takes as long as the ledger is.
    const verified = thorough ? await store.ledger.verify() : { problems: [] };
    wrong(
      "not verified",
      verified.problems.map(({ message }) => message),
    );
    return {
      recoveryMs,
      problems,
      acknowledged: acknowledged.length,
      effects: effects.length,
      rows: rows.length,
      unknown: rows.filter(({ kind }) => kind === "unknown").length,
      lost,
      unrecorded,
      doubled: doubled + again.length,
    };
  } finally {
    await store.close();
  }
}

/** As a process would that finds an approved call and thinks that nobody has run it. */
async function claimAgain(store, rows, effects) {
  const claimed = [];
  for (const { body } of rows) {
    if (body.row !== "intent" || body.approval === undefined || !effects.has(body.callId)) continue;
    const [record] = await store.approvals.find(body.approval.id);
    if (record === undefined) continue;
    const { caller, toolId, definitionHash, inputHash, meaningHash } = record.request;
    const binding = { caller, toolId, definitionHash, inputHash, meaningHash };
    if (await store.approvals.claim(body.approval.id, binding)) claimed.push(body.callId);
  }
  return claimed;
}

/** What earlier rounds have read of the same ledger. The last check of all begins anew. */
export function newlySeen() {
  return { rows: [], kinds: new Map(), last: 0 };
}

async function readRows(ledger, seen) {
  for (let page = { next: seen.last }; page.next !== undefined; ) {
    page = await ledger.query(
      { kinds: ["intent", "completion", "unknown"] },
      { order: "oldest", limit: 1_000, after: page.next },
    );
    for (const row of page.entries) {
      seen.rows.push(row);
      seen.kinds.set(row.callId, [...(seen.kinds.get(row.callId) ?? []), row.kind]);
      seen.last = row.seq;
    }
  }
}

function repeated(items) {
  const before = new Set();
  return items.filter((item) => before.has(item) || !before.add(item));
}

function ends(kinds = []) {
  return kinds.filter((kind) => kind === "completion" || kind === "unknown").length;
}

function linesOf(folder, name) {
  const file = join(folder, name);
  return existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
}
