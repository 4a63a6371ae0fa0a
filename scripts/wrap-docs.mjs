// Breaks lines of the documentation that are longer than 140 columns, where they are prose: `node scripts/wrap-docs.mjs`.
// Code, tables, headings and paragraphs that fit stay as they are.

import { globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [longest, wanted] = [140, 130];
const root = fileURLToPath(new URL("..", import.meta.url));

for (const page of globSync(["docs/**/*.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"], {
  cwd: root,
})) {
  const file = `${root}/${page}`;
  const text = readFileSync(file, "utf8");
  const wrapped = wrapPage(text);
  if (wrapped === text) continue;
  writeFileSync(file, wrapped);
  console.log(page);
}

function wrapPage(text) {
  const lines = [];
  let isCode = false;
  for (const line of text.split("\n")) {
    const isFence = line.startsWith("```");
    if (isFence) isCode = !isCode;
    // A line that begins a list item, or follows nothing that could go on, begins a part of its own.
    const isFixed = isCode || isFence || line === "" || /^[|#<!]/.test(line);
    const begins = isFixed || /^\s*([-*]|\d+\.) /.test(line) || lines.at(-1)?.isFixed !== false;
    if (begins) lines.push({ isFixed, parts: [line] });
    else lines.at(-1).parts.push(line);
  }
  return lines.flatMap(({ isFixed, parts }) => (isFixed ? parts : wrapPart(parts))).join("\n");
}

function wrapPart(parts) {
  if (parts.every((line) => line.length <= longest)) return parts;
  const [head] = /^\s*(?:(?:[-*]|\d+\.) )?/.exec(parts[0]);
  // Code and what stands beside it are one word.
  const words =
    parts
      .join("\n")
      .slice(head.length)
      .match(/(?:`[^`]*`|[^\s`])+/g) ?? [];
  const lines = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= wanted) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push((lines.length === 0 ? head : " ".repeat(head.length)) + word);
  }
  return lines.map((line) => line.replaceAll("\n", " "));
}
