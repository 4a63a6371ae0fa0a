/** Files and addresses that a rule may be proposed for; again an allow list. */
import { eachWord, wordSet } from "../../core/text/words.ts";
import { isRunByTools } from "../../rules/conditions/file-form.ts";

const writers = wordSet("fs.write fs.edit fs.apply_diff");
const readers = wordSet("web.fetch");

/** Source code and texts. What a build or a service takes its settings from is not among them. */
const extensions = wordSet(
  ".md .mdx .txt .rst .ts .tsx .js .jsx .mjs .cjs .css .scss .less .html .svg .vue .svelte .py .pyi .go .rs .java .kt .swift .c .h .cc .cpp .hpp .cs .rb .php .ex .exs .scala .graphql .proto",
);
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
  if (parts.some((part) => part.startsWith("."))) return "folders that hold more than source code";
  if (!extensions.has(extension)) return `files that end with ${extension === "" ? "nothing" : extension}`;
  if (isRunByTools(relative)) return "files that tools run by themselves";
  return /^[\w@+./-]+$/.test(relative) ? undefined : "names with unusual characters";
}

/**
 * Where documentation and sources are read, and what is asked for tells nobody but its owner. The number: so many
 * names at the beginning of a path say whose page it is, and these never vary in a rule.
 */
const openHosts: ReadonlyMap<string, number> = new Map([
  ...eachWord(
    "docs.python.org developer.mozilla.org nodejs.org doc.rust-lang.org go.dev learn.microsoft.com docs.github.com stackoverflow.com en.wikipedia.org www.typescriptlang.org react.dev vuejs.org kubernetes.io docs.docker.com docs.aws.amazon.com cloud.google.com www.postgresql.org sqlite.org datatracker.ietf.org www.rfc-editor.org www.w3.org man7.org",
    0,
  ),
  ...eachWord("docs.rs registry.npmjs.org", 1),
  // A kind of page and the package.
  ...eachWord("www.npmjs.com npmjs.com pypi.org crates.io", 2),
  // The host of the sources, the owner and the repository.
  ["pkg.go.dev", 3],
  // The owner, the repository, and the branch: by the name of a commit one gets what others wrote into a fork.
  ["raw.githubusercontent.com", 3],
  // There with the kind of page: anybody may write issues.
  ["github.com", 4],
]);

/** What of the path says whose page it is, with a slash at its end. Undefined: nothing can be said of others. */
export function ownerOf({ hostname, pathname }: URL): string | undefined {
  const names = openHosts.get(hostname);
  const parts = pathname.split("/").slice(1, -1);
  if (names === undefined || parts.length < names || parts.slice(0, names).includes("")) return undefined;
  return `/${parts
    .slice(0, names)
    .map((part) => `${part}/`)
    .join("")}`;
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
