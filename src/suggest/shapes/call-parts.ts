/** What of a call a rule could be made of: the parts that a person is asked about. The floor lies here. */

import type { JsonObject } from "../../core/input/json.ts";
import { explainFile, explainUrl, isPlainReader, isPlainWriter, ownerOf } from "../floor/harmless-places.ts";
import type { HistoryCall } from "../history.ts";
import type { SeenCall } from "../judge.ts";
import { type ClosedInput, closeInput, plainText } from "./closed-input.ts";
import { type CommandShape, keyOf, shapeCommand } from "./command-shape.ts";
import { extensionOf } from "./usage-of.ts";

export type Part =
  | {
      readonly kind: "command";
      readonly key: string;
      readonly shape: CommandShape;
      /** It came behind a check, which a rule cannot demand: `npm test && make deploy`. */
      readonly isBehind?: true;
    }
  | {
      readonly kind: "file";
      readonly key: string;
      readonly relative: string;
      readonly extension: string;
      readonly closed: ClosedInput;
    }
  | { readonly kind: "url"; readonly key: string; readonly url: URL; readonly closed: ClosedInput }
  | { readonly kind: "arguments"; readonly key: string; readonly input: JsonObject };

export interface CallParts {
  /** The tool's id. */
  readonly tool: string;
  readonly parts: readonly Part[];
  /** Why no rule is ever made of it. */
  readonly withheld?: string;
  /** As they stand in the input. */
  readonly command?: string;
  readonly path?: string;
  readonly url?: string;
}

/** Undefined: the record does not hold enough to tell. */
export function partsOf(call: HistoryCall, seen: SeenCall | undefined): CallParts | undefined {
  if (call.incomplete === true || seen === undefined) return undefined;
  const { tool } = seen;
  const text = {
    ...(seen.lines[0] !== undefined && { command: seen.lines[0].line }),
    ...(seen.paths[0] !== undefined && { path: seen.paths[0].path }),
    ...(seen.urls[0] !== undefined && { url: seen.urls[0] }),
  };
  const found = read(call, seen);
  if (typeof found === "string") return { tool, parts: [], withheld: found, ...text };
  return { tool, parts: found, ...text };
}

/** A string says why it is withheld. */
function read(call: HistoryCall, seen: SeenCall): readonly Part[] | string {
  if (!seen.isKnown) return "tools that nobody knows";
  if (seen.unreadable) return "input that nobody can read";
  const { definitionHash: then } = call;
  if (then !== undefined && seen.definitionHash !== undefined && then !== seen.definitionHash)
    return "tools whose definition has changed";
  const { paths } = seen;
  if (paths.some(({ location }) => !location.inside)) return "places outside of the workspace";
  if (paths.some(({ location }) => location.protected !== undefined || location.own === true))
    return "secrets and toolgate's own files";
  if (seen.tool === "shell.exec") {
    const isHere = paths.every(({ location }) => location.absolute === call.cwd);
    return isHere ? readLine(seen) : "commands that are told another folder";
  }
  if (seen.lines.length > 0) return `commands that ${seen.tool} is given`;
  if (isPlainWriter(seen.tool) && seen.urls.length === 0 && paths.length > 0) return readFiles(call, seen);
  if (isPlainReader(seen.tool) && paths.length === 0 && seen.urls.length > 0) return readUrls(call, seen);
  return readArguments(call, seen);
}

/** Of a tool that only reads, and that is what it was when a person looked at it. */
function readArguments(
  { input, kind, definitionHash }: HistoryCall,
  seen: SeenCall,
): readonly Part[] | string {
  const { tool, permission, paths, urls } = seen;
  const isPinned = kind === "call" && definitionHash !== undefined && seen.definitionHash !== undefined;
  if (permission !== "read" || !isPinned || paths.length > 0 || urls.length > 0) return `calls of ${tool}`;
  const keys = Object.keys(input).sort();
  if (keys.length === 0 || keys.some((key) => !/^\w{1,60}$/.test(key))) return `calls of ${tool}`;
  const isPlain = Object.values(input).every(
    (value) =>
      typeof value === "number" ||
      typeof value === "boolean" ||
      (typeof value === "string" && plainText.test(value)),
  );
  return isPlain
    ? [{ kind: "arguments", key: `arguments ${tool} ${keys.join(" ")}`, input }]
    : `texts that ${tool} is given`;
}

function readLine({ lines }: SeenCall): readonly Part[] | string {
  const [only] = lines;
  if (only?.judged === undefined || lines.length !== 1) return "input that nobody can read";
  const { commands, redirects, opaque, risk, unread } = only.judged;
  if (risk === "opaque" || opaque.length > 0 || unread === true)
    return "commands that nobody can read in advance";
  if (redirects.some(({ access }) => access === "write")) return "lines that write by a redirect";
  const parts: Part[] = [];
  for (const command of commands) {
    if (command.risk === "read" && !command.network) continue;
    const shaped = shapeCommand(command);
    if (!shaped.ok) return shaped.why;
    const { known } = shaped.shape;
    const isBehind = mayDoAnything(known) && parts.some((part) => isOfProject(part));
    parts.push({
      kind: "command",
      key: keyOf(shaped.shape),
      shape: shaped.shape,
      ...(isBehind && { isBehind }),
    });
  }
  return parts;
}

/** Scripts by name, commits and deletions. What tests or formats is no more than that in any order. */
function mayDoAnything({ operands, words, runsProject }: CommandShape["known"]): boolean {
  return operands === "pinned" || (runsProject && (words[0] === "git" || words[0] === "rm"));
}

function isOfProject(part: Part): boolean {
  return part.kind === "command" && part.shape.known.runsProject;
}

/** That a person said yes to the line says nothing of the part by itself. */
export function isBehindCheck(part: Part): boolean {
  return part.kind === "command" && part.isBehind === true;
}

function readFiles({ workspace, input }: HistoryCall, { tool, paths }: SeenCall): readonly Part[] | string {
  const closed = closeInput(
    input,
    paths.map(({ path }) => path),
  );
  if (closed === undefined) return `calls of ${tool} that say more than a file and a text`;
  const root = workspace.endsWith("/") ? workspace : `${workspace}/`;
  const parts: Part[] = [];
  for (const { location } of paths) {
    if (!location.absolute.startsWith(root)) return "places outside of the workspace";
    const relative = location.absolute.slice(root.length);
    const extension = extensionOf(relative);
    const why = explainFile(relative, extension);
    if (why !== undefined) return why;
    parts.push({
      kind: "file",
      key: `file ${tool} ${relative.split("/")[0]} ${extension} ${JSON.stringify(closed)}`,
      relative,
      extension,
      closed,
    });
  }
  return parts;
}

function readUrls({ input }: HistoryCall, { urls, tool }: SeenCall): readonly Part[] | string {
  const closed = closeInput(input, urls);
  if (closed === undefined) return `calls of ${tool} that say more than an address`;
  const parts: Part[] = [];
  for (const text of urls) {
    const url = URL.parse(text);
    const why = url === null ? "addresses that nobody can read" : explainUrl(url);
    if (url === null || why !== undefined) return why ?? "";
    // Who owns the page: what is approved of one owner says nothing about another.
    const owner = ownerOf(url) ?? "";
    parts.push({
      kind: "url",
      key: `url ${tool} ${url.hostname}${owner} ${JSON.stringify(closed)}`,
      url,
      closed,
    });
  }
  return parts;
}
