/** Policies that are never wider than the permissions of another program, and what is lost on the way. */
import { escaped } from "../../../../agents/permissions/command-text.ts";
import type { FileText } from "../../../../agents/permissions/file-text.ts";
import type {
  Inexact,
  OwnPermissions,
  OwnRule,
  OwnSubject,
} from "../../../../agents/permissions/own-rule.ts";
import type { JsonObject } from "../../../../core/input/json.ts";
import { commandPieces, type TextFields, writtenText } from "./command-pieces.ts";
import { joinPieces, type PieceTest, type PolicyPiece } from "./policy-piece.ts";

export interface PolicyMaking {
  /** How the names of the policies begin. */
  readonly prefix: string;
  /** The program, for reasons. */
  readonly title: string;
  readonly home: string;
  readonly fields: TextFields;
}

export interface MadePolicies {
  readonly policies: Readonly<Record<string, JsonObject>>;
  readonly inexact: readonly Inexact[];
}

export function toPolicies({ rules, inexact }: OwnPermissions, making: PolicyMaking): MadePolicies {
  const lost: Inexact[] = [];
  const pieces = rules.flatMap((rule) => {
    const made = piecesOf(rule, making);
    const { written, file } = rule;
    if (made.wider !== undefined) lost.push({ written, file, how: "wider", why: made.wider });
    if (made.left !== undefined) lost.push({ written, file, how: "left", why: made.left });
    return made.pieces;
  });
  return { policies: joinPieces(pieces, making.prefix), inexact: [...inexact, ...lost] };
}

interface Made {
  readonly pieces: readonly PolicyPiece[];
  readonly wider?: string;
  readonly left?: string;
}

const actions = { allow: "approve", ask: "ask", deny: "deny" } as const;
const expectations = { allow: "allow", ask: "ask", deny: "block" } as const;

function piecesOf(rule: OwnRule, making: PolicyMaking): Made {
  const { about, permit } = rule;
  const reason = permit === "allow" ? undefined : (rule.reason ?? reasonOf(permit, making.title));
  if (about.kind === "commands") return commandPieces({ ...rule, about }, reason, making.fields);
  if (about.kind === "text")
    return permit === "allow"
      ? { pieces: [], left: "text is not approved" }
      : { pieces: writtenText(permit, about.source, reason, making.fields) };
  const base = { action: actions[permit], ...(reason !== undefined && { reason }) };
  const expect = expectations[permit];
  switch (about.kind) {
    case "tools":
      return { pieces: toolPieces(about, { ...base, slot: `${permit}-tools` }, expect) };
    case "files":
      return filePieces(about, { ...base, slot: `${permit}-${about.access}` }, expect, making.home);
    case "outside":
      return outsidePieces(about, { ...base, slot: `${permit}-outside` }, making.home);
    case "hosts":
      return { pieces: [hostPiece(about, { ...base, slot: `${permit}-hosts` }, expect)] };
    case "urls":
      return urlPieces(about, { ...base, slot: `${permit}-urls` });
  }
}

function reasonOf(permit: "ask" | "deny", title: string): string {
  return permit === "deny"
    ? `Your permissions in ${title} deny this.`
    : `Your permissions in ${title} ask a person first.`;
}

type Base = Pick<PolicyPiece, "slot" | "action" | "reason">;
type About<Kind extends OwnSubject["kind"]> = Extract<OwnSubject, { readonly kind: Kind }>;

function toolPieces(
  { names, field, value }: About<"tools">,
  base: Base,
  expect: PieceTest["expect"],
): PolicyPiece[] {
  if (field !== undefined && value !== undefined) {
    const slot = base.slot.replace("tools", "arguments");
    return [
      { ...base, slot, tools: names, condition: { type: "argument", field, operator: "matches" }, value },
    ];
  }
  const tests = names
    .filter((name) => name !== "*")
    .map((name) => ({ tool: name.replaceAll("*", "x"), input: {}, expect }));
  return [{ ...base, tools: names, tests }];
}

/** Who stops reading stops everything that shows what is in a file; who approves it, only the plain tool. */
const readers = ["Read", "LS", "Grep", "Glob", "view_image"];
const editors = ["Edit", "Write", "apply_patch", "apply_diff", "delete_file", "move_file"];

function filePieces(
  { access, text, except = [], inShell = false }: About<"files">,
  base: Base,
  expect: PieceTest["expect"],
  home: string,
): Made {
  const input = access === "read" ? { file_path: text.sample } : { file_path: text.sample, content: "x" };
  const tests = [{ tool: access === "read" ? "Read" : "Write", input, expect }];
  if (base.action === "approve") {
    const tools = access === "read" ? ["Read"] : ["Edit", "Write"];
    return { pieces: [{ ...base, tools, ...approvedFile(text, home), tests }] };
  }
  const stopped = stoppedFile(text, except, home);
  const pieces: PolicyPiece[] = [
    { ...base, tools: access === "read" ? readers : editors, ...stopped, tests },
  ];
  const writes = { type: "risk", operator: "greaterThan", value: "read" };
  if (inShell && access === "read")
    pieces.push({ ...base, slot: `${base.slot}-in-shell`, tools: ["Bash"], ...stopped });
  if (inShell && access === "edit")
    pieces.push({ ...base, slot: `${base.slot}-in-shell`, tools: ["Bash"], ...stopped, also: [writes] });
  return { pieces };
}

function approvedFile(
  { inside, pattern }: FileText,
  home: string,
): Pick<PolicyPiece, "condition" | "value" | "also"> {
  const folder =
    inside === undefined ? [] : [{ type: "path", operator: "inside", value: fromHome(inside, home) }];
  if (pattern === undefined)
    return { condition: { type: "path", operator: "inside" }, value: fromHome(inside ?? ".", home) };
  return { condition: { type: "path", operator: "matches" }, value: pattern, also: folder };
}

function stoppedFile(
  text: FileText,
  except: readonly FileText[],
  home: string,
): Pick<PolicyPiece, "condition" | "value"> {
  const { inside = ".", pattern } = text;
  const without = except.length === 0 ? "" : `(?!${except.map(sourceOf).join("|")})`;
  if (without === "") {
    if (pattern !== undefined) return { condition: { type: "path", operator: "matches" }, value: pattern };
    return { condition: { type: "path", operator: "inside" }, value: fromHome(inside, home) };
  }
  const source = sourceOf(text);
  return {
    condition: { type: "path", operator: "matches" },
    value: source.startsWith("/")
      ? `/(?<=^/)${without.replaceAll("^/", "")}${source.slice(1)}`
      : `^${without}${source.replace(/^\^/, "")}`,
  };
}

/** The same files as one pattern. */
function sourceOf({ inside = ".", pattern }: FileText): string {
  if (pattern !== undefined) return pattern.replace("/(?<=^/)", "^/");
  if (inside === ".") return "^(?!/)";
  return inside.startsWith("/") ? `^${escaped(inside)}(?:/|$)` : `^${escaped(inside)}(?:/|$)`;
}

/** A path outside of the workspace is compared as a whole, one inside never begins with a slash. */
function outsidePieces({ except = [] }: About<"outside">, base: Base, home: string): Made {
  const folders = except.flatMap(({ inside, pattern }) =>
    inside?.startsWith("/") && pattern === undefined ? [inside] : [],
  );
  const without = folders.map((folder) => `${escaped(folder).slice(1)}(?:/|$)`).join("|");
  const value = without === "" ? "^/" : `^/(?!${without})`;
  const test = {
    tool: "Read",
    input: { file_path: "/usr/share/dict/words" },
    expect: base.action === "deny" ? "block" : "ask",
  } as const;
  const tools = [...readers, ...editors, "Bash"];
  const wider = folders.length < except.length ? { wider: `an exception in ${home} cannot be said` } : {};
  return {
    pieces: [{ ...base, tools, condition: { type: "path", operator: "matches" }, value, tests: [test] }],
    ...wider,
  };
}

function hostPiece({ host, below }: About<"hosts">, base: Base, expect: PieceTest["expect"]): PolicyPiece {
  const sample = below ? `docs.${host}` : host;
  const tests = [{ tool: "WebFetch", input: { url: `https://${sample}/`, prompt: "x" }, expect }];
  if (base.action !== "approve")
    return {
      ...base,
      tools: ["WebFetch"],
      condition: { type: "url", operator: "inside" },
      value: host,
      tests,
    };
  const value = `^https?://${below ? "(?:[^/?#@:]+\\.)" : ""}${escaped(host)}\\.?(?::\\d+)?(?:[/?#]|$)`;
  return { ...base, tools: ["WebFetch"], condition: { type: "url", operator: "matches" }, value, tests };
}

function urlPieces({ source, except = [] }: About<"urls">, base: Base): Made {
  const without = except.length === 0 ? "" : `(?!${except.map((one) => one.replace(/^\^/, "")).join("|")})`;
  const value = `^${base.action === "approve" ? "" : without}${source.replace(/^\^/, "")}`;
  return {
    pieces: [{ ...base, tools: ["WebFetch"], condition: { type: "url", operator: "matches" }, value }],
  };
}

function fromHome(path: string, home: string): string {
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
