/** The parts of a call that policies judge one by one: each command, path and URL. The strictest counts. */
import { resolve } from "node:path";
import { fileNamedBy, isFileUri } from "../core/input/file-uri.ts";
import { mayOpenFiles, type RoleValues } from "../core/input/input-roles.ts";
import type { SearchReach } from "../core/input/search-reach.ts";
import type { Location } from "../core/ports/location.ts";
import { commandSubjects } from "./command-subjects.ts";
import { lookBelow, searchTrees } from "./look-below.ts";
import {
  isFull,
  type JudgedTool,
  locator,
  maxSubjects,
  opaqueSubject,
  riskOrder,
  type Subject,
  type Surroundings,
} from "./subject.ts";

export function subjectsOf(
  tool: JudgedTool,
  values: RoleValues | undefined,
  around: Surroundings,
): Subject[] {
  const { place } = around;
  const own = wholeCall(tool);
  const { network } = own;
  if (values === undefined) return [own];
  const { command: commands, path: paths, url: urls, unreadable, fixed } = values;
  // Text for a running program is a command if that program is a shell. Nobody knows, so the text is both.
  const asShell = tool.isShell && (commands.length > 0 || fixed !== undefined) && values.stdin === undefined;
  const subjects: Subject[] = [];
  const line = { ...around, hidesSecrets: tool.hidesSecrets?.() === true };
  // The folder a shell runs in is only looked at, and its commands' paths start there.
  const cwd = asShell && paths[0] !== undefined ? resolve(place.cwd, paths[0]) : place.cwd;
  const { language } = tool;
  for (const command of commands) {
    if (isFull(subjects)) break;
    const here = { ...line, place: { roots: place.roots, cwd }, ...(language && { language }) };
    subjects.push(...commandSubjects(command, here));
  }
  if (fixed !== undefined) {
    const there = { roots: place.roots, cwd: fixed.cwd };
    const parts = commandSubjects(fixed.command, { ...line, place: there });
    if (fixed.doubt !== undefined) parts.push(opaqueSubject(fixed.doubt, fixed.command));
    // A tool that is no shell keeps its own risk; who approves its command approves the call.
    subjects.push(
      ...parts.map((part) => ({ ...(tool.isShell ? part : atLeast(own, part)), fixed: true as const })),
    );
  }
  const risk = asShell ? "read" : tool.permission;
  const url = urls.length === 1 ? { url: urls[0] as string } : {};
  const locate = locator(around);
  const access = risk === "read" ? "read" : "write";
  /** What a tool opens may be the file that a URI names, wherever it stands. */
  const locateUri = (uri: string): Location | "unknown" => {
    const named = fileNamedBy(uri);
    return named === undefined ? "unknown" : locate(named, access);
  };
  for (const path of paths) {
    if (isFull(subjects)) break;
    subjects.push({ risk, network, path: locate(path, access), label: path, ...url });
    if (isFileUri(path)) subjects.push({ risk, network, path: locateUri(path), label: path, ...url });
  }
  for (const text of values.looks ?? []) {
    if (isFull(subjects)) break;
    const path = isFileUri(text) ? locateUri(text) : locate(text, access);
    if (path !== "unknown" && !paths.includes(text) && isOfInterest(path, around))
      subjects.push({ risk, network, path, label: text, ...url });
  }
  if (values.search !== undefined)
    subjects.push(...searchSubjects(values.search, { risk, network, label: "" }, around));
  const reachesOut = network || values.urlIsName !== true;
  for (const one of urls) {
    const file = isFileUri(one) && mayOpenFiles(tool.capabilities) ? { path: locateUri(one) } : undefined;
    subjects.push({ risk, network: reachesOut, url: one, label: one, ...file });
  }
  if (unreadable.includes("path"))
    subjects.push({ risk, network, path: "unknown", label: "a path that is not text" });
  if (unreadable.includes("url")) subjects.push({ risk, network: true, label: "a URL that is not text" });
  if (unreadable.includes("command")) subjects.push(opaqueSubject("the command is no text", "a command"));
  const isToldByCommand = asShell || fixed !== undefined;
  if (!isToldByCommand && paths.length === 0 && urls.length === 0) subjects.push(own);
  return isFull(subjects) ? withoutTheRest(subjects, commands[0] ?? "") : subjects;
}

/** A text may look like a path and be none: one that nobody speaks of changes nothing. */
function isOfInterest(path: Location, { concerns }: Surroundings): boolean {
  // A folder such as the workspace itself may hold files of ours, and is named for other reasons.
  const isClosed = (path.protected !== undefined || path.own === true) && path.holdsOwn !== true;
  return isClosed || concerns?.(path.absolute) === true;
}

function atLeast(own: Subject, part: Subject): Subject {
  const risk = riskOrder[own.risk] > riskOrder[part.risk] ? own.risk : part.risk;
  return { ...part, risk, network: own.network || part.network };
}

/** The files that a search opens without their being named. */
function searchSubjects(search: SearchReach, base: Subject, around: Surroundings): Subject[] {
  const { place } = around;
  const locate = locator(around);
  return searchTrees(search, place.cwd, place.roots).flatMap((tree) => {
    const { paths, complete } = lookBelow(tree, around);
    const found = paths.map((path): Subject => {
      const label = `${path} (reached by a search in ${tree.path})`;
      return { ...base, path: locate(path, "read"), label, reached: true };
    });
    return complete ? found : [...found, { ...base, path: "unknown", label: `a search in ${tree.path}` }];
  });
}

function withoutTheRest(subjects: readonly Subject[], label: string): Subject[] {
  const rest = opaqueSubject(
    `the call has more than ${maxSubjects} commands, paths and URLs; split it`,
    label,
  );
  // Rules about paths must not overlook those that were left out.
  return [...subjects.slice(0, maxSubjects), { ...rest, path: "unknown", unseen: true }];
}

/** What there is to judge about a call that holds no command, path or URL: the tool itself. */
export function wholeCall(tool: JudgedTool): Subject {
  const network = tool.capabilities.some((capability) => capability.startsWith("net:"));
  return { risk: tool.permission, network, label: "" };
}
