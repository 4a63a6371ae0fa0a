/** The options that a program's own `--help` names, with whether each takes a value. */

import { spawnSync } from "node:child_process";

export interface HelpOption {
  /** `-a` or `--all`. */
  readonly name: string;
  /** `unknown` where the text does not say it. */
  readonly value: "none" | "required" | "optional" | "unknown";
}

/** `undefined` where the program is not installed or has no such text. */
export function helpOptions(program: string): readonly HelpOption[] | undefined {
  const { stdout, stderr, error } = spawnSync(program, ["--help"], {
    encoding: "utf8",
    timeout: 10_000,
    input: "",
    env: { PATH: process.env.PATH ?? "", LC_ALL: "C", COLUMNS: "200" },
  });
  if (error !== undefined) return undefined;
  const options = parseHelp(stdout.length > stderr.length ? stdout : stderr);
  return options.length === 0 ? undefined : options;
}

/** Lines that begin with an option, up to the gap before its description. */
export function parseHelp(text: string): readonly HelpOption[] {
  const found = new Map<string, HelpOption>();
  for (const line of text.replaceAll("\t", "    ").split("\n")) {
    const [, head] = /^ {0,12}(-[^\s].*)$/.exec(line) ?? [];
    if (head === undefined) continue;
    const names = readHead(head);
    const stated = names.find((option) => option.value === "required" || option.value === "optional");
    for (const option of names) {
      const value =
        option.value === "none" && stated !== undefined && !option.name.startsWith("--")
          ? stated.name.startsWith("--") && stated.value === "required"
            ? "required"
            : "unknown"
          : option.value;
      if (!found.has(option.name)) found.set(option.name, { name: option.name, value });
      else if (found.get(option.name)?.value !== value)
        found.set(option.name, { name: option.name, value: "unknown" });
    }
  }
  return [...found.values()];
}

/** `-n, --lines=[-]NUM`, `-c NUM, --bytes NUM`, `-o <list>`, `--color[=WHEN]`, `-f file    --file=file`. */
function readHead(head: string): HelpOption[] {
  const options: HelpOption[] = [];
  let rest = head;
  for (;;) {
    const [whole, name = "", value] = OPTION.exec(rest) ?? [];
    if (whole === undefined) return options;
    options.push({
      name,
      value: value === undefined ? "none" : value.startsWith("[") ? "optional" : "required",
    });
    rest = rest.slice(whole.length);
    const separator = /^(?:, ?| \| |\/| +(?=--[a-z])| {1,2}(?=-[A-Za-z] ))/.exec(rest);
    if (separator === null) return options;
    rest = rest.slice(separator[0].length);
  }
}

const VALUE = [
  /\[=?<?[^\]]*\](?:\.\.\.)?/,
  /=\S+?(?=,? |,?$)/,
  / ?<[^>]+>/,
  / [A-Z][A-Z0-9_:,|-]*(?=,| {2}|$| -)/,
  / [A-Z](?=,| )/,
  / \S+(?= {2,}--)/,
];
const OPTION = new RegExp(
  `^(--[A-Za-z0-9][\\w-]*|-[A-Za-z0-9@,%#.](?![\\w-]*[a-z]{2}))(${VALUE.map((shape) => shape.source).join("|")})?`,
);
