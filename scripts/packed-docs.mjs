// The pages that the package ships: one file of those that its users need first and of those that messages name, because a package is
// no place for half a megabyte of documentation, and a README that points there. `node scripts/packed-docs.mjs` writes the file, at the end of `npm run build`;
// `readme` and `restore` exchange the README while npm packs.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("..", import.meta.url));
const target = "dist/docs.md";

/** In the order in which somebody new reads them; then what errors and hints send people to. */
const pages = [
  "docs/tutorials/guard-a-coding-agent.md",
  "docs/tutorials/team-mcp-endpoint.md",
  "docs/tutorials/inside-a-program.md",
  "docs/rules.md",
  "docs/claude-code.md",
  "docs/library.md",
  "SECURITY.md",
  "docs/operate.md",
  "docs/sessions.md",
  "docs/scale.md",
  "docs/rest.md",
  "docs/errors.md",
];
/** Shipped as they are. */
const files = [
  "LICENSE",
  "docs/pictures/blocked-call.svg",
  "docs/pictures/waiting-call.svg",
  "docs/pictures/console.png",
];

const [readme, kept] = [join(project, "README.md"), join(project, "dist", "README.repository.md")];
const order = process.argv[2];
if (order === undefined) writeFileSync(join(project, target), joinPages());
else if (order === "readme") putReadme();
else if (order === "restore") restoreReadme();
else throw new Error(`"${order}" is no order: say readme, restore or nothing.`);

function joinPages() {
  const list = pages.map((page) => `- [${titleOf(textOf(page))}](#${idOf(page)}): \`${page}\``);
  const parts = pages.map((page) => {
    const text = outsideCode(textOf(page), (part) => pointHere(part, page, target));
    return `<a id="${idOf(page)}"></a>\n\n${withIds(text, page)}`;
  });
  return [
    "# The documentation of toolgate, in part",
    "These pages are the beginning, and those that messages of toolgate name. The repository has all of them, in `docs`.",
    list.join("\n"),
    ...parts,
  ].join("\n\n");
}

/** A pack that was killed leaves the README that it wrote: the one that was kept is the repository's. */
function putReadme() {
  if (!existsSync(kept)) writeFileSync(kept, readFileSync(readme));
  const text = outsideCode(readFileSync(kept, "utf8"), (part) => pointHere(part, "README.md", "README.md"));
  writeFileSync(`${readme}.new`, text);
  renameSync(`${readme}.new`, readme);
}

function restoreReadme() {
  if (!existsSync(kept)) return;
  writeFileSync(`${readme}.new`, readFileSync(kept));
  renameSync(`${readme}.new`, readme);
  rmSync(kept);
}

/** Links of a text in `page`, which is to stand in `place`. What the package does not have is named instead. */
function pointHere(text, page, place) {
  return text.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, picture, words, link) => {
    if (/^[a-z]+:/.test(link)) return whole;
    const [path, anchor] = link.split("#");
    const file = path === "" ? page : posix.normalize(posix.join(posix.dirname(page), path));
    const found = fileFor(file, anchor, place);
    if (found !== undefined) return `${picture}[${words}](${found})`;
    return words.includes(file) ? words : `${words} (\`${file}\` in the repository)`;
  });
}

/** Undefined: it is not in the package. */
function fileFor(file, anchor, place) {
  const within = anchor === undefined ? "" : `#${anchor}`;
  if (pages.includes(file)) return `${place === target ? "" : target}#${idOf(file, anchor)}`;
  if (file !== "README.md" && !files.includes(file)) return undefined;
  return file === place ? within : `${posix.relative(posix.dirname(place), file)}${within}`;
}

/** Pages say some things under the same heading, so each heading has an id of its own; they all stand one level lower. */
function withIds(text, page) {
  return outsideCode(text, (part) =>
    part.replaceAll(/^(#+) (.+)$/gm, (line, level, title) =>
      level === "#" ? `#${line}` : `<a id="${idOf(page, slugOf(title))}"></a>\n\n#${line}`,
    ),
  );
}

function idOf(page, anchor) {
  const name = page.replace(/^.*\//, "").replace(/\.md$/, "").toLowerCase();
  return anchor === undefined ? name : `${name}--${anchor}`;
}

/** As the places do that show Markdown. */
function slugOf(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

function titleOf(text) {
  return /^# (.+)$/m.exec(text)[1];
}

function textOf(page) {
  return readFileSync(join(project, page), "utf8");
}

/** Blocks of code stay as they are. */
function outsideCode(text, change) {
  return text
    .split(/^([ \t]*(```+)[^\n]*\n.*?^[ \t]*\2[ \t]*$)/ms)
    .map((part, index) => (index % 3 === 0 ? change(part) : index % 3 === 1 ? part : ""))
    .join("");
}
