/** Permissions of Claude Code: `permissions` in its settings files. Of deny, ask and allow the first that matches counts. */
import { join } from "node:path";
import { escaped, everyCommand, exactText, globText, meansEverything, prefixText } from "./command-text.ts";
import { type FileText, ignoreText } from "./file-text.ts";
import {
  Collected,
  type FoundPermissions,
  type OwnRule,
  type OwnSubject,
  type PermissionPlace,
  type PermissionScope,
  type Permit,
} from "./own-rule.ts";
import { recordIn, type Settings, SettingsReader, texts } from "./read-settings.ts";

export function readClaudePermissions(scope: PermissionScope, place: PermissionPlace): FoundPermissions {
  const reader = new SettingsReader();
  const found = new Collected();
  const folder =
    scope === "user"
      ? (place.env.CLAUDE_CONFIG_DIR ?? join(place.home, ".claude"))
      : join(place.projectDir, ".claude");
  for (const file of [join(folder, "settings.json"), join(folder, "settings.local.json")]) {
    const settings = reader.json(file);
    if (settings !== undefined) readSettings(settings, file, place, found);
  }
  return { ...found, ...reader };
}

function readSettings(settings: Settings, file: string, place: PermissionPlace, found: Collected): void {
  const permissions = recordIn(settings, "permissions");
  for (const permit of ["deny", "ask", "allow"] as const)
    for (const written of texts(permissions[permit])) readRule({ permit, written, file }, place, found);
  const mode = permissions.defaultMode;
  if (typeof mode === "string" && mode !== "default")
    found.leave(`defaultMode: ${mode}`, file, "a mode is no rule; it goes on to hold where no policy speaks");
  for (const folder of texts(permissions.additionalDirectories))
    found.leave(
      `additionalDirectories: ${folder}`,
      file,
      "for a folder outside of the workspace write a policy with a path condition",
    );
}

type Written = Pick<OwnRule, "permit" | "written" | "file">;

/** `Tool`, or `Tool(what of it)`. */
const ruleForm = /^\s*([^()\s]+)\s*(?:\(([\s\S]*)\))?\s*$/;

function readRule(rule: Written, place: PermissionPlace, found: Collected): void {
  const [, tool, inside] = ruleForm.exec(rule.written) ?? [];
  if (tool === undefined) {
    cannotRead(rule, "it is not of the form Tool or Tool(what)", found);
    return;
  }
  const what = inside?.trim();
  if (what === undefined || what === "" || what === "*") {
    readBare(tool, rule, found);
    return;
  }
  const about = subjectOf(tool, what, rule.permit, place);
  if (typeof about !== "string") {
    found.add({ ...rule, about });
    return;
  }
  if (rule.permit === "allow") {
    found.leave(rule.written, rule.file, about);
    return;
  }
  found.widen(rule.written, rule.file, `${about}; every call of ${tool} is meant now`);
  readBare(tool, rule, found);
}

function cannotRead(rule: Written, why: string, found: Collected): void {
  found.leave(rule.written, rule.file, why);
}

function readBare(tool: string, rule: Written, found: Collected): void {
  if (tool === "Bash") {
    found.add({ ...rule, about: { kind: "commands" } });
    return;
  }
  const [, server] = /^mcp__([^*]+?)(?:__\*)?$/.exec(tool) ?? [];
  // A server alone means all of its tools.
  const name = server !== undefined && !server.includes("__") ? `mcp__${server}__*` : tool;
  // Where it approves, Claude Code takes a star only behind a server's whole name.
  if (rule.permit === "allow" && tool.includes("*") && !/^mcp__(?:(?!__)[^*])+__[^*]*\*$/.test(tool)) {
    found.leave(rule.written, rule.file, "a name with * is no server's");
    return;
  }
  found.add({ ...rule, about: { kind: "tools", names: namesOf(name, rule.permit) } });
}

/** What is forbidden to edit is forbidden to every tool that changes files; what is allowed, to this one. */
function namesOf(tool: string, permit: Permit): readonly string[] {
  if (permit === "allow") return [tool];
  if (tool === "Edit") return ["Edit", "Write", "apply_patch", "apply_diff"];
  if (tool === "Task" || tool === "Agent") return ["Task", "Agent"];
  return [tool];
}

/** Text: why it cannot be said exactly. */
function subjectOf(tool: string, what: string, permit: Permit, place: PermissionPlace): OwnSubject | string {
  if (tool === "Bash") return commandsOf(what, permit);
  if (tool === "Read" || tool === "Edit") {
    const text = filesOf(what, place);
    if (typeof text === "string") return text;
    return { kind: "files", access: tool === "Read" ? "read" : "edit", text, inShell: true };
  }
  if (["Write", "MultiEdit", "NotebookEdit", "Glob", "Grep"].includes(tool))
    return `Claude Code itself takes paths only in Read(...) and Edit(...)`;
  if (tool === "WebFetch") return hostOf(what);
  if ((tool === "Agent" || tool === "Task") && permit !== "allow")
    return { kind: "tools", names: ["Task", "Agent"], field: "subagent_type", value: `^${escaped(what)}$` };
  return "no policy can look at that part of the call";
}

function commandsOf(what: string, permit: Permit): OwnSubject {
  const text = what.endsWith(":*")
    ? prefixText(what.slice(0, -2))
    : what.includes("*")
      ? globText(what, { question: false, open: permit === "allow" ? "alone" : "always" })
      : exactText(what);
  return meansEverything(text) ? { kind: "commands", text: everyCommand } : { kind: "commands", text };
}

/** `//` is the root of the disk, `~/` the home folder, everything else the project. */
function filesOf(what: string, { home }: PermissionPlace): FileText | string {
  if (what.startsWith("!")) return "an exception cannot be said";
  if (what.startsWith("//")) return ignoreText(what.slice(1), "/");
  if (what === "~" || what.startsWith("~/")) return ignoreText(`/${what.slice(2)}`, home);
  return ignoreText(what, undefined);
}

function hostOf(what: string): OwnSubject | string {
  const host = /^domain:\s*(\*\.)?([\w.-]+)$/.exec(what);
  if (host === null) return "only domain:HOST can be said";
  return { kind: "hosts", host: (host[2] ?? "").toLowerCase(), below: host[1] !== undefined };
}
