/** The languages whose definitions can be found: the names of their files, their grammar and their query. */
import { queries } from "./queries.ts";

export interface Language {
  readonly name: string;
  readonly extensions: readonly string[];
  /** Of a first line such as `#!/usr/bin/env python3`, for files without an extension. */
  readonly interpreters: readonly string[];
  readonly grammar: string;
  readonly query: string;
}

const language = (
  name: string,
  extensions: string,
  grammar: keyof typeof queries,
  interpreters = "",
): Language => ({
  name,
  extensions: extensions.split(" "),
  interpreters: interpreters.split(" ").filter(Boolean),
  grammar,
  query: queries[grammar],
});

export const languages: readonly Language[] = [
  language("TypeScript", "ts mts cts", "typescript"),
  language("TSX", "tsx", "tsx"),
  language("JavaScript", "js mjs cjs jsx", "javascript", "node deno bun"),
  language("Python", "py pyi pyw", "python", "python"),
  language("Go", "go", "go"),
  language("Rust", "rs", "rust"),
  language("Java", "java", "java"),
  language("C/C++", "c h cc cpp cxx c++ hh hpp hxx h++ ipp inl", "cpp"),
  language("Ruby", "rb rake gemspec ru", "ruby", "ruby"),
  language("C#", "cs csx", "c-sharp"),
  language("PHP", "php phtml", "php", "php"),
  language("Bash", "sh bash bats ksh zsh", "bash", "sh bash dash ksh zsh"),
];

const byExtension = new Map(languages.flatMap((one) => one.extensions.map((name) => [name, one] as const)));

export function languageByName(file: string): Language | undefined {
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  const dot = name.lastIndexOf(".");
  return dot < 1 ? undefined : byExtension.get(name.slice(dot + 1).toLowerCase());
}

export function languageByFirstLine(text: string): Language | undefined {
  if (!text.startsWith("#!")) return undefined;
  const words = (text.slice(2, 202).split(/[\r\n]/, 1)[0] ?? "").trim().split(/\s+/);
  // `env -S python3 -u`: the first word that is neither env itself nor one of its options.
  const [first = "", ...rest] = words.map((word) => word.slice(word.lastIndexOf("/") + 1));
  const program = first === "env" ? rest.find((word) => /^[^-=][^=]*$/.test(word)) : first;
  const name = program?.replace(/[\d.]+$/, "") ?? "";
  return languages.find(({ interpreters }) => interpreters.includes(name));
}

export function knownLanguages(): string {
  return languages
    .map(({ name, extensions }) => `${name} (${extensions.map((one) => `.${one}`).join(" ")})`)
    .join(", ");
}
