// Writes docs/tools.md from the built-in tools themselves; with --check it only says whether the page is up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGate } from "../src/index.ts";
import { createBuiltinTools } from "../src/sources/builtin/builtin-tools.ts";

const page = new URL("../docs/tools.md", import.meta.url);
const shapes = JSON.parse(readFileSync(new URL("foreign-shapes.json", import.meta.url), "utf8"));

const builtin = createBuiltinTools({ editing: { stateFolder: join(tmpdir(), "toolgate-docs") } });
const gate = await createGate({ tools: builtin.tools });
const text = pageOf(gate.categories.list(), gate.tools.list());
await gate.close();
await builtin.close();

if (!process.argv.includes("--check")) writeFileSync(page, text);
else if (readFileSync(page, "utf8") !== text) {
  console.error("docs/tools.md is not what the tools say. Run: node scripts/write-tools-doc.mjs");
  process.exitCode = 1;
}

function pageOf(categories, tools) {
  const groups = categories
    .map((category) => ({ category, tools: tools.filter((tool) => tool.category === category.id) }))
    .filter((group) => group.tools.length > 0);
  return `${[
    "# The built-in tools",
    "This page is made from the tools themselves by `node scripts/write-tools-doc.mjs`; a test compares it. [How the built-in tools behave](builtin-tools.md) says what was decided about them, and why.",
    "A tool answers to its id, to the id with `_` for the dot, and to the names that other agents give it. All of them lead to the same tool before any rule is asked, so a rule for one name holds for all. Parameters may also be given under the names in the last column. Two names for one parameter with different values are invalid input.",
    table(
      ["category", "state", "allows at most", "tools"],
      groups.map(({ category, tools: members }) => [
        `[${category.id}](#${category.id})`,
        category.enabled ? "on" : "off",
        category.ceiling,
        members.map(({ id }) => `\`${id}\``).join(" "),
      ]),
    ),
    "Reading inside the workspace needs no approval. Every call that writes, executes or uses the network needs approval, unless a [policy](rules.md) approves it.",
    ...groups.flatMap(({ category, tools: members }) => [
      `## ${category.id}`,
      category.description,
      ...members.flatMap(sectionOf),
    ]),
    "## Shapes of other agents",
    "How other agents call these tools. Each of these is valid input, and means what it means there ([where that differs](builtin-tools.md#names-of-other-agents)):",
    table(
      ["called", "is", "input"],
      shapes.map(({ name, input }) => [`\`${name}\``, `\`${gate.tools.get(name)?.id}\``, code(input)]),
    ),
  ]
    .map(wrapped)
    .join("\n\n")}\n`;
}

/** Lines of at most 120 columns, broken at blanks outside of code; tables stay as they are. */
function wrapped(text) {
  if (text.startsWith("|")) return text;
  return text
    .split("\n")
    .flatMap((line) => {
      const words = line.match(/(?:`[^`]*`|[^\s`])+/g) ?? [];
      const lines = [""];
      for (const word of words) {
        const last = lines.at(-1);
        if (last === "") lines[lines.length - 1] = word;
        else if (`${last} ${word}`.length <= 120) lines[lines.length - 1] = `${last} ${word}`;
        else lines.push(word);
      }
      return lines;
    })
    .join("\n");
}

function sectionOf({ id, tool, capabilities, inputSchema }) {
  const needs =
    capabilities.length === 0 ? "no capability" : capabilities.map((one) => `\`${one}\``).join(" ");
  const aliases = (tool.aliases ?? []).map((name) => `\`${name}\``).join(" ");
  const { properties = {}, required = [] } = inputSchema;
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\`${required.includes(name) ? "" : "?"}`,
    typeOf(schema),
    cell(schema.description ?? ""),
    (tool.input.synonyms?.[name] ?? []).map((other) => `\`${other}\``).join(" "),
  ]);
  return [
    `### ${id}`,
    tool.description,
    `Permission \`${tool.permission}\`, needs ${needs}.${aliases === "" ? "" : ` Also called ${aliases}.`}`,
    rows.length === 0 ? "It takes no input." : table(["parameter", "type", "meaning", "also called"], rows),
  ];
}

function typeOf(schema) {
  if (schema.enum !== undefined) return cell(schema.enum.map((value) => JSON.stringify(value)).join(" or "));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return [...new Set(alternatives.map(typeOf))].join(" or ");
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`;
  if (schema.type === "object" && schema.properties !== undefined) {
    const required = schema.required ?? [];
    const fields = Object.keys(schema.properties).map((name) =>
      required.includes(name) ? name : `${name}?`,
    );
    return cell(`{${fields.join(", ")}}`);
  }
  return [schema.type ?? "anything"].flat().join(" or ");
}

function table(headings, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(headings), `|${"---|".repeat(headings.length)}`, ...rows.map(line)].join("\n");
}

function cell(words) {
  return words.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function code(input) {
  return `\`${cell(JSON.stringify(input))}\``;
}
