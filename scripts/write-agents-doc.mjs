// Writes the table of docs/agents.md from the adapters themselves; with --check it only says whether the page is up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { allAgents } from "../src/agents/all-agents.ts";

const page = new URL("../docs/agents.md", import.meta.url);
const [begin, end] = ["<!-- made by scripts/write-agents-doc.mjs -->", "<!-- end of what is made -->"];

const before = readFileSync(page, "utf8");
const [start, rest = ""] = before.split(begin);
const [, after] = rest.split(end);
if (after === undefined) throw new Error(`docs/agents.md has no ${begin} ... ${end}`);
const agents = await Promise.all(
  allAgents.map(async (agent) => ({ agent, abilities: (await agent.loadSetup()).abilities })),
);
const text = `${start}${begin}\n\n${[table(agents), "### Holes", ...agents.map(holesOf)].join("\n\n")}\n\n${end}${after}`;

if (!process.argv.includes("--check")) writeFileSync(page, text);
else if (before !== text) {
  console.error("docs/agents.md is not what the adapters say. Run: node scripts/write-agents-doc.mjs");
  process.exitCode = 1;
}

function table(all) {
  const headings = [
    "agent",
    "tried with",
    "blocks",
    "asks",
    "rewrites",
    "remarks",
    "sub-agents",
    "hook fails",
  ];
  const rows = all.map(({ agent, abilities }) => [
    `${agent.title} \`${agent.name}\``,
    abilities.measured ?? "by its documentation",
    { told: "and says why", silent: "without a word", "ends the run": "and the run ends" }[abilities.deny],
    abilities.ask === "own prompt" ? "in its own prompt" : "in the queue",
    abilities.rewrite ? "yes" : "says what to run instead",
    remarks(abilities),
    abilities.subAgents === "none" ? "has none" : abilities.subAgents,
    abilities.onHookFailure === "denies" ? "blocked" : "[it runs](#holes)",
  ]);
  return [headings, headings.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function remarks({ contextBefore, contextAfter }) {
  if (contextBefore && contextAfter) return "before and after";
  if (!contextBefore && !contextAfter) return "no";
  return contextBefore ? "before" : "after";
}

function holesOf({ agent, abilities }) {
  return [`**${agent.title}**`, "", ...abilities.holes.flatMap((hole) => wrapped(`- ${hole}`))].join("\n");
}

/** Lines of at most 120 columns, broken at blanks. */
function wrapped(line) {
  const lines = [""];
  for (const word of line.split(" ")) {
    const last = lines.at(-1);
    if (last === "") lines[lines.length - 1] = word;
    else if (`${last} ${word}`.length <= 120) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines;
}
