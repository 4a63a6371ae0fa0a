/** Claude Code's own matching, written from its documentation: deny, then ask, then allow. */
import { isAbsolute, join, relative, resolve } from "node:path";
import { inWords, splitLine } from "./split-line.ts";
import { mildest, type OracleWorld, type OwnCall, type OwnVerdict } from "./verdict.ts";

export interface ClaudePermissions {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

export function claudeVerdict(
  settings: readonly ClaudePermissions[],
  call: OwnCall,
  world: OracleWorld,
): OwnVerdict {
  const list = (key: keyof ClaudePermissions) => settings.flatMap((one) => one[key] ?? []);
  const rules = { deny: list("deny"), ask: list("ask"), allow: list("allow") };
  if (call.tool !== "Bash") {
    const matches = (rule: string) => matchesCall(rule, call, world);
    if (rules.deny.some(matches)) return "deny";
    if (rules.ask.some(matches)) return "ask";
    return rules.allow.some(matches) ? "allow" : "none";
  }
  const { commands, redirects, complex, broken } = splitLine(String(call.input.command));
  const stops = (list: readonly string[]) =>
    commands.some((command) =>
      list.some(
        (rule) =>
          matchesCommand(rule, withoutVariables(withoutWrappers(command))) ||
          matchesFileCommand(rule, command, world),
      ),
    );
  if (stops(rules.deny)) return "deny";
  if (stops(rules.ask)) return "ask";
  const isAll = rules.allow.some((rule) => /^Bash(?:\(\*?\))?$/.test(rule));
  if (isAll) return "allow";
  const isAllowed = (spell: (command: string) => string) =>
    commands.length > 0 &&
    commands.every((command) =>
      rules.allow.some((rule) => matchesCommand(rule, spell(withoutWrappers(command)))),
    );
  if (redirects || complex || broken) return "none";
  return mildest([isAllowed((one) => one) ? "allow" : "none", isAllowed(inWords) ? "allow" : "none"]);
}

/** Documented: timeout, time, nice, nohup and stdbuf are taken off. */
function withoutWrappers(command: string): string {
  const next = command.replace(
    /^(?:timeout\s+(?:-\S+\s+)*\d+\w?|time|nice(?:\s+-n\s+-?\d+)?|nohup|stdbuf(?:\s+-\S+)+)\s+/,
    "",
  );
  return next === command ? command : withoutWrappers(next);
}

function withoutVariables(command: string): string {
  return command.replace(/^(?:\w+=\S*\s+)+/, "");
}

function matchesCommand(rule: string, command: string): boolean {
  const what = /^Bash\(([\s\S]*)\)$/.exec(rule)?.[1];
  if (rule === "Bash" || what === "*" || what === "") return true;
  if (what === undefined) return false;
  const text = what.endsWith(":*") ? `${what.slice(0, -2)} *` : what;
  const stars = text.split("*").length - 1;
  const body = (stars === 1 && text.endsWith(" *") ? text.slice(0, -2) : text)
    .split("*")
    .map(quoted)
    .join("[\\s\\S]*");
  return new RegExp(`^${body}${stars === 1 && text.endsWith(" *") ? "(?: [\\s\\S]*)?" : ""}$`).test(command);
}

/** Documented: Read rules that deny also hold for file commands such as cat, head and tail. */
function matchesFileCommand(rule: string, command: string, world: OracleWorld): boolean {
  const [program = "", ...words] = inWords(command).split(" ");
  if (!["cat", "head", "tail"].includes(program) || !rule.startsWith("Read(")) return false;
  return words.some(
    (word) => !word.startsWith("-") && matchesCall(rule, { tool: "Read", input: { file_path: word } }, world),
  );
}

const editors = ["Edit", "Write", "MultiEdit", "NotebookEdit"];

function matchesCall(rule: string, { tool, input }: OwnCall, world: OracleWorld): boolean {
  const [, name = "", what] = /^([^()]+?)(?:\(([\s\S]*)\))?$/.exec(rule) ?? [];
  if (name.startsWith("mcp__") && tool.startsWith("mcp__")) {
    const prefix = name.replace(/\*$/, "");
    return (
      name === tool ||
      (name.endsWith("*") && tool.startsWith(prefix)) ||
      (name.split("__").length === 2 && tool.startsWith(`${name}__`))
    );
  }
  if (what === undefined || what === "*")
    return name === tool || (name === "Edit" && editors.includes(tool) && tool !== "Write");
  if (name === "Read" && tool === "Read") return matchesPath(what, String(input.file_path), world);
  if (name === "Edit" && editors.includes(tool)) return matchesPath(what, String(input.file_path), world);
  if (name === "WebFetch" && tool === "WebFetch") return matchesHost(what, String(input.url));
  if (name === "Agent" && (tool === "Agent" || tool === "Task")) return input.subagent_type === what;
  return false;
}

function matchesHost(what: string, url: string): boolean {
  const host = /^domain:(.+)$/.exec(what)?.[1] ?? "";
  const actual = URL.parse(url)?.hostname;
  return host.startsWith("*.") ? actual?.endsWith(host.slice(1)) === true : actual === host;
}

/** As in .gitignore, from the root, the home folder, or the project. */
function matchesPath(what: string, path: string, { root, home }: OracleWorld): boolean {
  const absolute = path.startsWith("~/") ? join(home, path.slice(2)) : resolve(root, path);
  const [base, pattern] = what.startsWith("//")
    ? ["/", what.slice(1)]
    : what.startsWith("~/")
      ? [home, what.slice(1)]
      : [root, what.replace(/^\.\//, "/")];
  const way = relative(base, absolute);
  if (way.startsWith("..") || isAbsolute(way) || way === "") return false;
  const isAnchored = pattern.replace(/\/(?:\*\*)?$/, "").includes("/");
  const body = pattern
    .replace(/^\//, "")
    .replace(/\/$/, "")
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((piece) =>
      piece === "**/"
        ? "(?:.*/)?"
        : piece === "**"
          ? ".*"
          : piece === "*"
            ? "[^/]*"
            : piece === "?"
              ? "[^/]"
              : quoted(piece),
    )
    .join("");
  return new RegExp(`^${isAnchored ? "" : "(?:.*/)?"}${body}(?:/.*)?$`).test(way);
}

function quoted(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
