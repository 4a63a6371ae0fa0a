/** Permissions of Codex: its rule files and its configuration. Of all rules that match the strictest counts. */
import { join } from "node:path";
import { prefixText } from "./command-text.ts";
import {
  Collected,
  type FoundPermissions,
  type OwnRule,
  type PermissionPlace,
  type PermissionScope,
  type Permit,
} from "./own-rule.ts";
import { SettingsReader } from "./read-settings.ts";
import { type Literal, readStarlarkCalls, type StarlarkCall } from "./starlark-calls.ts";

export function readCodexPermissions(scope: PermissionScope, place: PermissionPlace): FoundPermissions {
  const reader = new SettingsReader();
  const found = new Collected();
  const folder =
    scope === "user"
      ? (place.env.CODEX_HOME ?? join(place.home, ".codex"))
      : join(place.projectDir, ".codex");
  const file = join(folder, "config.toml");
  const config = reader.toml(file) ?? {};
  for (const key of ["approval_policy", "sandbox_mode"])
    if (config[key] !== undefined)
      found.leave(
        `${key} = ${JSON.stringify(config[key])}`,
        file,
        "it is no rule about calls; it goes on to hold in Codex",
      );
  // Codex refuses what a rule would ask about if nobody may be asked.
  const asking: Permit = config.approval_policy === "never" ? "deny" : "ask";
  for (const rules of reader.list(join(folder, "rules"), ".rules")) {
    const text = reader.text(rules);
    if (text === undefined) continue;
    const read = readStarlarkCalls(text);
    // Codex does not use such a file by halves either.
    if (!read.ok) reader.fail(rules, `${read.message} (line ${read.line})`);
    else for (const call of read.calls) readRule(call, rules, asking, found);
  }
  return { ...found, ...reader };
}

function readRule(call: StarlarkCall, file: string, asking: Permit, found: Collected): void {
  const written = call.text;
  const leave = (why: string) => found.leave(written, file, why);
  if (call.name === "network_rule") {
    readNetworkRule(call, file, asking, found);
    return;
  }
  if (call.name !== "prefix_rule") {
    leave("only prefix_rule and network_rule become policies");
    return;
  }
  const { pattern, decision = "allow", justification, match, not_match } = call.arguments;
  const permit = permitOf(decision, asking);
  if (permit === undefined) {
    leave("its decision is none of allow, prompt and forbidden");
    return;
  }
  if (!Array.isArray(pattern) || pattern.length === 0) {
    leave("its pattern is no list of words");
    return;
  }
  const choices = (pattern as readonly Literal[]).map(wordsOf);
  if (choices.some((words) => words === undefined || words.length === 0)) {
    leave("its pattern is no list of words");
    return;
  }
  const rule = {
    permit,
    written,
    file,
    ...(typeof justification === "string" && justification.trim() !== "" && { reason: justification.trim() }),
    examples: examplesOf(match),
    counterexamples: examplesOf(not_match),
  };
  addPrefixes(choices as readonly (readonly string[])[], rule, found);
}

/** More of them are not written down one by one. */
const mostPrefixes = 100;

function addPrefixes(
  choices: readonly (readonly string[])[],
  rule: Omit<OwnRule, "about">,
  found: Collected,
): void {
  const isWord = (word: string) => /^[\w@%+:,./=-]+$/.test(word) && word !== "";
  const unclear = choices.findIndex((words) => !words.every(isWord));
  let prefixes: readonly string[] = [""];
  let used = 0;
  for (const words of unclear === -1 ? choices : choices.slice(0, unclear)) {
    if (prefixes.length * words.length > mostPrefixes) break;
    prefixes = prefixes.flatMap((prefix) => words.map((word) => `${prefix} ${word}`.trim()));
    used++;
  }
  const why =
    unclear === -1 ? "it stands for too many commands" : "a word of it holds more than plain characters";
  if (used < choices.length) {
    if (rule.permit === "allow") {
      found.leave(rule.written, rule.file, why);
      return;
    }
    found.widen(
      rule.written,
      rule.file,
      used === 0 ? `${why}; every command is meant now` : `${why}; only its first words count`,
    );
  }
  // Examples say what the whole rule means, so they are kept once.
  const { examples, counterexamples, ...bare } = rule;
  if (used === 0) {
    found.add({ ...bare, about: { kind: "commands" } });
    return;
  }
  prefixes.forEach((prefix, index) => {
    const shown = index === 0 && {
      ...(examples && { examples }),
      ...(counterexamples && { counterexamples }),
    };
    found.add({ ...bare, ...shown, about: { kind: "commands", text: prefixText(prefix) } });
  });
}

function permitOf(decision: Literal | undefined, asking: Permit): Permit | undefined {
  if (decision === "allow") return "allow";
  if (decision === "prompt") return asking;
  return decision === "forbidden" || decision === "deny" ? "deny" : undefined;
}

function wordsOf(token: Literal): readonly string[] | undefined {
  if (typeof token === "string") return [token];
  if (!Array.isArray(token)) return undefined;
  const words = (token as readonly Literal[]).filter((word): word is string => typeof word === "string");
  return words.length === token.length ? words : undefined;
}

/** Lines of a shell. A list of words is written as one. */
function examplesOf(value: Literal | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Literal[]).flatMap((example) => {
    if (typeof example === "string") return [example];
    const words = wordsOf(example);
    return words === undefined ? [] : [words.map(quoted).join(" ")];
  });
}

function quoted(word: string): string {
  return /^[\w@%+:,./=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function readNetworkRule(
  { arguments: given, text: written }: StarlarkCall,
  file: string,
  asking: Permit,
  found: Collected,
): void {
  const permit = permitOf(given.decision, asking);
  const host =
    typeof given.host === "string" ? given.host.replace(/:\d+$/, "").replace(/\.+$/, "").toLowerCase() : "";
  if (permit === undefined || !/^[\w-]+(?:\.[\w-]+)*$/.test(host)) {
    found.leave(written, file, "its host or decision is not understood");
    return;
  }
  if (permit === "allow") {
    found.leave(written, file, "it speaks of what commands may reach, not of a call");
    return;
  }
  found.add({ permit, written, file, about: { kind: "hosts", host, below: false } });
}
