// What secretlint finds, we take out; and what is ordinary stays.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bar, table } from "./measure.mjs";
import { bareCarriers, carriers } from "./redact/carriers.mjs";
import { ordinaryCode, ordinaryLogs } from "./redact/ordinary.mjs";
import { createRandom } from "./redact/random.mjs";
import { secretsOf } from "./redact/secrets.mjs";

export const needsPeers = true;

const texts = 2_000;
const lines = 10_000;
const fewestTaken = 0.99;
const mostAlarms = 0.005;
const shown = 12;

export async function run({ quick }) {
  const { redact } = await import("../dist/safe/redact/redact.js");
  const clean = (text) => redact({ content: text });
  const { rows, missed, unseen } = await compareWithSecretlint(clean, quick ? texts / 10 : texts);
  const found = sum(rows, "found");
  const taken = sum(rows, "taken");
  console.log(
    table(
      ["rule of secretlint", "texts", "found", "taken out"],
      [...rows, { rule: "all", texts: sum(rows, "texts"), found, taken }].map((row) =>
        [row.rule, row.texts, row.found, row.taken].map(String),
      ),
    ),
  );
  for (const line of missed.slice(0, shown)) console.log(`  left in: ${line}`);
  if (unseen.length > 0)
    console.log(`  ${unseen.length} texts in which secretlint found nothing: ${summary(unseen)}`);

  const alarms = findAlarms(clean, quick ? lines / 10 : lines);
  console.log("");
  console.log(
    table(
      ["ordinary lines", "lines", "false alarms"],
      alarms.rows.map((row) => [row.of, row.lines, row.alarms].map(String)),
    ),
  );
  for (const line of alarms.examples.slice(0, shown)) console.log(`  taken out: ${line}`);

  const left = (found - taken) / found;
  const share = sum(alarms.rows, "alarms") / sum(alarms.rows, "lines");
  const bars = [
    bar("share of secretlint's findings that we leave in", exact(left), 1 - fewestTaken),
    { ...bar("false alarms per ordinary line", exact(share), mostAlarms), ok: share < mostAlarms },
  ];
  console.log("");
  console.log(
    `taken out: ${percent(1 - left)} of what secretlint finds (at least ${percent(fewestTaken)}): ${verdict(bars[0])}`,
  );
  console.log(
    `false alarms: ${percent(share)} of ordinary lines (below ${percent(mostAlarms)}): ${verdict(bars[1])}`,
  );
  return { rows: [...rows, ...alarms.rows], bars };
}

/** Every provider in every place, again and again with new secrets, until there are enough texts. */
async function compareWithSecretlint(clean, count) {
  const { createFinder } = await import("./redact/secretlint.mjs");
  const find = createFinder();
  const byRule = new Map();
  const missed = [];
  const unseen = [];
  for (const { rule, place, text, core, file } of textsWithSecrets(createRandom(20_261_116), count)) {
    const row = byRule.get(rule) ?? { rule, texts: 0, found: 0, taken: 0 };
    byRule.set(rule, row);
    row.texts += 1;
    const findings = await find(file, text);
    if (findings.length === 0) unseen.push(`${rule}, ${place}`);
    const { content } = clean(text).value;
    for (const { data, ruleId } of findings) {
      row.found += 1;
      const values = Object.values(data ?? {}).filter((value) => String(value).length > 5 && value !== file);
      if (!content.includes(core) && !values.some((value) => content.includes(value))) row.taken += 1;
      else
        missed.push(`${ruleId.split("-rule-").at(-1)}, ${place}: ${JSON.stringify(content.slice(0, 160))}`);
    }
  }
  const silent = [...byRule.values()].filter(({ found }) => found === 0);
  // Then the texts are no longer what it looks for, and the share would say nothing.
  if (silent.length > 0)
    throw new Error(`secretlint finds none of: ${silent.map(({ rule }) => rule).join(", ")}.`);
  return { rows: [...byRule.values()].sort((a, b) => (a.rule < b.rule ? -1 : 1)), missed, unseen };
}

function* textsWithSecrets(random, count) {
  for (let made = 0; made < count; ) {
    for (const { rule, name, secret, core, named, whole, file = "notes.txt" } of secretsOf(random)) {
      const places = { ...carriers, ...(named ? {} : bareCarriers) };
      const place = whole ? "a file" : random.one(Object.keys(places));
      const text = whole ? secret : places[place]({ name, secret });
      if (made++ < count) yield { rule, place, text, core, file };
    }
  }
}

function findAlarms(clean, count) {
  const here = dirname(fileURLToPath(import.meta.url));
  const folders = [join(here, "..", "node_modules"), join(here, "node_modules")];
  const code = Math.round(count * 0.6);
  const kinds = {
    "code of installed packages": ordinaryCode(folders, code),
    "generated logs": ordinaryLogs(createRandom(7), count - code),
  };
  const examples = [];
  const rows = Object.entries(kinds).map(([of, pieces]) => {
    let alarms = 0;
    for (const { name, text } of pieces) {
      const { count: found } = clean(text);
      alarms += found;
      if (found > 0) examples.push(`${name.split("node_modules/").at(-1)}: ${changedLines(clean, text)}`);
    }
    return { of, lines: pieces.reduce((all, { text }) => all + text.split("\n").length, 0), alarms };
  });
  return { rows, examples };
}

function changedLines(clean, text) {
  const changed = text.split("\n").filter((line) => clean(line).count > 0);
  return changed.length > 0 ? changed.map((line) => line.trim().slice(0, 140)).join(" | ") : "across lines";
}

function summary(names) {
  return [...new Set(names)].slice(0, shown).join("; ");
}

function sum(rows, field) {
  return rows.reduce((all, row) => all + row[field], 0);
}

function exact(value) {
  return { value, low: value, high: value };
}

function percent(share) {
  return `${(share * 100).toFixed(2)} %`;
}

function verdict({ ok }) {
  return ok ? "pass" : "FAIL";
}
