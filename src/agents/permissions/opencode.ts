/** Permissions of OpenCode: `permission` in its configuration. Of all rules that match the last one counts. */
import { join } from "node:path";
import { isRecord } from "../../core/input/json.ts";
import { type CommandText, escaped, globText } from "./command-text.ts";
import { type FileText, wildcardText } from "./file-text.ts";
import { withExceptions } from "./in-order.ts";
import { splitNames } from "./mcp-names.ts";
import { agentsKeys, fromVariable, mergedRules, type OpencodeRule, readLayers } from "./opencode-layers.ts";
import {
  Collected,
  type FoundPermissions,
  type OwnRule,
  type PermissionPlace,
  type PermissionScope,
} from "./own-rule.ts";
import { recordIn, type Settings, SettingsReader } from "./read-settings.ts";

/** Its tools by the permission that they need. */
const toolsOf: Readonly<Record<string, readonly string[]>> = {
  read: ["Read"],
  edit: ["Edit", "Write", "apply_patch", "MultiEdit"],
  glob: ["Glob"],
  grep: ["Grep"],
  list: ["LS", "list"],
  bash: ["Bash"],
  task: ["Task"],
  skill: ["Skill"],
  lsp: ["LSP"],
  todowrite: ["TodoWrite"],
  todoread: ["todoread"],
  webfetch: ["WebFetch"],
  websearch: ["WebSearch"],
  codesearch: ["codesearch"],
  question: ["question"],
};

export function readOpencodePermissions(scope: PermissionScope, place: PermissionPlace): FoundPermissions {
  const reader = new SettingsReader();
  const found = new Collected();
  const config = join(place.env.XDG_CONFIG_HOME ?? join(place.home, ".config"), "opencode");
  const own = ["config.json", "opencode.json", "opencode.jsonc"].map((name) => join(config, name));
  const named = place.env.OPENCODE_CONFIG;
  const ofUser = named === undefined ? own : [...own, named];
  const names = ["opencode.json", "opencode.jsonc"];
  const ofProject = [place.projectDir, join(place.projectDir, ".opencode")].flatMap((folder) =>
    names.map((name) => join(folder, name)),
  );
  const layers = readLayers(ofUser, reader);
  if (scope === "user") layers.push(...fromVariable(place, reader));
  else {
    const before = reader.files.length;
    layers.push(...readLayers(ofProject, reader));
    // What decides in a project is decided by both together.
    if (reader.files.length === before) return { ...new Collected(), ...reader, files: [] };
  }
  for (const { settings, file } of layers) leaveAgents(settings, file, found);
  addRules(mergedRules(layers), agentsKeys(layers), place, found);
  return { ...found, ...reader };
}

/** What agents of OpenCode are told besides holds for one of them, and a call does not say for whom it is. */
function leaveAgents(settings: Settings, file: string, found: Collected): void {
  for (const section of ["agent", "mode"])
    for (const [name, agent] of Object.entries(recordIn(settings, section)))
      if (isRecord(agent) && (agent.permission !== undefined || agent.tools !== undefined))
        found.leave(`${section}.${name}`, file, "it holds for one agent only; OpenCode goes on to apply it");
}

function addRules(
  rules: readonly OpencodeRule[],
  ofAgents: ReadonlySet<string>,
  place: PermissionPlace,
  found: Collected,
): void {
  const isOfAgent = (key: string) => ofAgents.has(key) || ofAgents.has("*");
  for (const key of Object.keys(toolsOf)) {
    const own = rules.filter((rule) => concerns(rule.key, key)).toReversed();
    for (const { rule, about } of subjectsOf(key, own, place)) {
      const written = `${rule.key}: ${rule.pattern === "*" ? rule.permit : `${rule.pattern}: ${rule.permit}`}`;
      if (rule.permit === "allow" && isOfAgent(key))
        found.leave(written, rule.file, "an agent of its own may be told otherwise");
      else if (typeof about === "string") leaveOrWiden(rule, written, about, key, found);
      else found.add({ permit: rule.permit, written, file: rule.file, about });
    }
  }
  addOutside(rules, place, found);
  addOthers(rules, isOfAgent, found);
}

function leaveOrWiden(rule: OpencodeRule, written: string, why: string, key: string, found: Collected): void {
  if (rule.permit === "allow") {
    found.leave(written, rule.file, why);
    return;
  }
  found.widen(written, rule.file, `${why}; every call is meant now`);
  found.add({
    permit: rule.permit,
    written,
    file: rule.file,
    about: { kind: "tools", names: toolsOf[key] ?? [key] },
  });
}

function concerns(pattern: string, key: string): boolean {
  return new RegExp(`^${escaped(pattern).replaceAll("\\*", ".*").replaceAll("\\?", ".")}$`, "s").test(key);
}

interface Subject {
  readonly rule: OpencodeRule;
  /** Text: why it cannot be said. */
  readonly about: OwnRule["about"] | string;
}

/** `rules`: the one that decides comes first. */
function subjectsOf(key: string, rules: readonly OpencodeRule[], place: PermissionPlace): Subject[] {
  const all = () => true;
  if (key === "bash") {
    const texts = rules.map((rule) => ({
      ...rule,
      text: globText(rule.pattern, { question: true, open: "always" }),
    }));
    return withExceptions<CommandText, (typeof texts)[number]>(texts, all).map(({ rule, except }) => ({
      rule,
      about: { kind: "commands", text: rule.text, except },
    }));
  }
  if (key === "read" || key === "edit") {
    const texts = rules.map((rule) => ({ ...rule, text: wildcardText(rule.pattern, place.home) }));
    return withExceptions<FileText, (typeof texts)[number]>(texts, all).map(({ rule, except }) => {
      const names = toolsOf[key] ?? [];
      if (rule.pattern === "*" && except.length === 0) return { rule, about: { kind: "tools", names } };
      return { rule, about: { kind: "files", access: key, text: rule.text, except } };
    });
  }
  if (key === "webfetch") {
    const texts = rules.map((rule) => ({ ...rule, text: rule.pattern }));
    return withExceptions<string, (typeof texts)[number]>(texts, all).map(({ rule, except }) => {
      if (rule.pattern === "*" && except.length === 0)
        return { rule, about: { kind: "tools", names: ["WebFetch"] } };
      return {
        rule,
        about: { kind: "urls", source: wildcardSource(rule.pattern), except: except.map(wildcardSource) },
      };
    });
  }
  return toolSubjects(key, rules);
}

/** Of other tools only the whole can be judged. */
function toolSubjects(key: string, rules: readonly OpencodeRule[]): Subject[] {
  const names = toolsOf[key] ?? [key];
  const decided = rules.findIndex(({ pattern }) => pattern === "*");
  return rules.slice(0, decided === -1 ? rules.length : decided + 1).map((rule) => {
    if (rule.pattern === "*") return { rule, about: { kind: "tools", names } };
    return { rule, about: "no policy can look at that part of the call" };
  });
}

function wildcardSource(pattern: string): string {
  return `^${escaped(pattern).replaceAll("\\*", "[\\s\\S]*").replaceAll("\\?", "[\\s\\S]")}$`;
}

/** What lies outside of the folder that OpenCode was started in. */
function addOutside(rules: readonly OpencodeRule[], place: PermissionPlace, found: Collected): void {
  const own = rules.filter(({ key }) => concerns(key, "external_directory")).toReversed();
  const texts = own.map((rule) => ({ ...rule, text: wildcardText(rule.pattern, place.home) }));
  for (const { rule, except } of withExceptions<FileText, (typeof texts)[number]>(texts, () => true)) {
    const { permit, file, pattern, text } = rule;
    const written = `${rule.key}: ${pattern}: ${permit}`;
    if (permit === "allow") {
      if (rule.key !== "*")
        found.leave(
          written,
          file,
          "for a folder outside of the workspace write a policy with a path condition",
        );
    } else if (pattern === "*") found.add({ permit, written, file, about: { kind: "outside", except } });
    else
      for (const access of ["read", "edit"] as const)
        found.add({ permit, written, file, about: { kind: "files", access, text, inShell: true } });
  }
}

/** Tools of MCP servers, and names that nobody knows. */
function addOthers(
  rules: readonly OpencodeRule[],
  isOfAgent: (key: string) => boolean,
  found: Collected,
): void {
  const later: OpencodeRule[] = [];
  for (const rule of rules.toReversed()) {
    const { key, pattern, permit, file } = rule;
    if (Object.hasOwn(toolsOf, key) || key === "external_directory" || key === "doom_loop") continue;
    const written = `${key}: ${pattern}: ${permit}`;
    if (key === "*") {
      if (permit === "allow") found.leave(written, file, "an approval of every tool is not taken over");
      else {
        if (later.some((one) => one.permit !== permit))
          found.widen(written, file, "other rules for tools of MCP servers are not taken out of it");
        found.add({ permit, written, file, about: { kind: "tools", names: ["mcp__*"] } });
      }
    } else if (!/^[\w-]+\*?$/.test(key)) leaveOrWidenAll(rule, written, found);
    else {
      const names = [...(permit === "allow" ? [] : [key]), ...splitNames(key, permit)];
      if (permit === "allow" && (pattern !== "*" || isOfAgent(key) || names.length === 0))
        found.leave(written, file, "it is not clear which server's tool it means");
      else found.add({ permit, written, file, about: { kind: "tools", names } });
    }
    later.push(rule);
  }
}

function leaveOrWidenAll({ permit, file }: OpencodeRule, written: string, found: Collected): void {
  const why = "it is not clear which tools it means";
  if (permit === "allow") {
    found.leave(written, file, why);
    return;
  }
  found.widen(written, file, `${why}; every tool of an MCP server is meant now`);
  found.add({ permit, written, file, about: { kind: "tools", names: ["mcp__*"] } });
}
