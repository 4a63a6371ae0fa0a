/** Files and addresses that a rule may be proposed for; again an allow list. */
import { wordSet } from "../../core/text/words.ts";

const writers = wordSet("fs.write fs.edit fs.apply_diff");
const readers = wordSet("web.fetch");

/** Source code and texts. What a build or a service takes its settings from is not among them. */
const extensions = wordSet(
  ".md .mdx .txt .rst .ts .tsx .js .jsx .mjs .cjs .css .scss .less .html .svg .vue .svelte .py .pyi .go .rs .java .kt .swift .c .h .cc .cpp .hpp .cs .rb .php .ex .exs .scala .graphql .proto",
);
const folderNames = "node_modules vendor bin sbin hooks scripts ci .github";
const folders = wordSet(folderNames);
/** Files that tools run, and agents obey, by themselves. */
const settingNames =
  "config|conf|setup|conftest|gulpfile|gruntfile|rakefile|makefile|sitecustomize|usercustomize|build|mix|noxfile|package|workspace|claude|agents|gemini|skill";
const settings = new RegExp(`(?:^|[./])(?:${settingNames})\\.[a-z]+$`, "i");

/** The same for the pattern of a rule: it must not hold for what the floor keeps back. */
export const neverFiles = `(?!(?:.*/)?(?:${folderNames.replaceAll(".", "\\.").replaceAll(" ", "|")})/)(?!(?:.*[./])?(?:${anyCase(settingNames)})\\.[A-Za-z]+$)`;

/** `[cC][iI]`: patterns of rules have no flags. */
function anyCase(names: string): string {
  return names.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

export function isPlainWriter(tool: string): boolean {
  return writers.has(tool);
}

export function isPlainReader(tool: string): boolean {
  return readers.has(tool);
}

/** `relative`: from the root of the workspace. */
export function explainFile(relative: string, extension: string): string | undefined {
  const parts = relative.split("/");
  if (parts.length < 2) return "files at the top of a project";
  if (parts.some((part) => part.startsWith(".") || folders.has(part)))
    return "folders that hold more than source code";
  if (!extensions.has(extension)) return `files that end with ${extension === "" ? "nothing" : extension}`;
  if (settings.test(parts.at(-1) ?? "")) return "files that tools run by themselves";
  return /^[\w@+./-]+$/.test(relative) ? undefined : "names with unusual characters";
}

/** Where documentation and sources are read, and what is asked for tells nobody but its owner. */
const openHosts = wordSet(
  "docs.python.org developer.mozilla.org nodejs.org docs.rs doc.rust-lang.org pkg.go.dev go.dev learn.microsoft.com docs.github.com github.com raw.githubusercontent.com stackoverflow.com en.wikipedia.org www.npmjs.com npmjs.com registry.npmjs.org pypi.org crates.io www.typescriptlang.org react.dev vuejs.org kubernetes.io docs.docker.com docs.aws.amazon.com cloud.google.com www.postgresql.org sqlite.org datatracker.ietf.org www.rfc-editor.org www.w3.org man7.org",
);

export function isOpenHost(host: string): boolean {
  return openHosts.has(host);
}

/** Undefined: it may be proposed. */
export function explainUrl(url: URL): string | undefined {
  if (url.protocol !== "https:") return "addresses without https";
  if (url.username !== "" || url.password !== "" || url.port !== "") return "addresses with a name or a port";
  if (url.search !== "" || url.hash !== "") return "addresses with a query";
  if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(url.hostname) || url.hostname.includes("xn--"))
    return "addresses of machines";
  if (/\.(?:local|internal|localhost|test|example|invalid|onion)$/.test(url.hostname))
    return "addresses of machines";
  return /^[\w.~/-]*$/.test(url.pathname) ? undefined : "addresses with unusual characters";
}
