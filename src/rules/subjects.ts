/** The parts of a call that policies judge one by one: each command, each path, each URL. The strictest verdict of all counts. */
import { resolve } from "node:path";
import { fileNamedBy, isFileUri } from "../core/input/file-uri.ts";
import { mayOpenFiles, type RoleIndex, type RoleValues } from "../core/input/input-roles.ts";
import type { SearchReach } from "../core/input/search-reach.ts";
import type { CommandContext, CommandJudge, CommandRisk, JudgedCommand } from "../core/ports/command.ts";
import type { ExpandGlob, FindBelow, LocatePath, Location } from "../core/ports/location.ts";
import type { LookAtRepository } from "../core/ports/repository.ts";
import type { Permission } from "../core/tool/permission.ts";
import type { DerivedValues } from "../core/tool/tool.ts";
import { inRepository } from "./in-repository.ts";
import { lookBelow, searchTrees } from "./look-below.ts";
import { gitFolders, handedOn, locateFileUri, pathsInWords } from "./own/own-in-line.ts";
import { type PersonsCommand, personsCommandIn, personsCommandInText } from "./own/persons-commands.ts";
import { pathsAsWritten, pathsInUnread } from "./paths-as-written.ts";
import { riskInWorkspace } from "./workspace-settings.ts";

export interface Subject {
  readonly risk: CommandRisk;
  readonly network: boolean;
  /** Set for a part of a shell line. */
  readonly command?: JudgedCommand;
  /** Why this part is not understood. */
  readonly opaque?: string;
  /** `unknown`: touches a path that is not known before it runs. */
  readonly path?: Location | "unknown";
  readonly url?: string;
  /** A command of toolgate itself that only people run. */
  readonly persons?: PersonsCommand;
  /** Opens what another command of the line finds, and that one looks in this folder of ours. */
  readonly handsOn?: string;
  /** The text is the tool author's: who approves the tool by name approves what nobody can read in it. */
  readonly fixed?: true;
  /** Stands for parts that nobody looked at because there are too many: no policy approves them, they could be anything. */
  readonly unseen?: true;
  /** No word names it: it lies below a folder that the command takes as a whole. */
  readonly reached?: true;
  /** For messages: `rm -rf /`, `/etc/passwd`. */
  readonly label: string;
}

export interface JudgedTool {
  readonly permission: Permission;
  readonly capabilities: readonly string[];
  readonly roles: RoleIndex;
  /** A shell: what its commands do is what it does. Any other tool keeps its own risk, whatever else its input holds. */
  readonly isShell: boolean;
  /** What its commands are written in, where that is not what the judge reads. */
  readonly language?: CommandContext["shell"];
  /** What a call does that its fields do not say by themselves. */
  readonly derive?: ((args: unknown) => DerivedValues | undefined) | undefined;
  /** See `Tool`. */
  readonly hidesSecrets?: (() => boolean) | undefined;
}

export interface Judges {
  readonly judgeCommand: CommandJudge | undefined;
  readonly locatePath: LocatePath;
  /** Without it a glob counts as the folder it starts in and as a path that is not known. */
  readonly expandGlob?: ExpandGlob;
  /** Without it a folder that a command reads as a whole counts as a path that is not known. */
  readonly findBelow?: FindBelow;
  /** Without it every git command may run what a repository says. */
  readonly lookAtRepository?: LookAtRepository;
}

export interface Place {
  readonly cwd: string;
  readonly roots: readonly string[];
}

/** Whether some rule speaks of a path that lies below a folder. */
export type Concerns = (absolute: string) => boolean;

/** A call with more parts than this is not judged part by part; it is opaque. Where each path leads takes time in which nobody else is served. */
const maxSubjects = 256;

/** One more than is judged, so that the rest is known to be there. Nothing more is looked at. */
function isFull(subjects: readonly Subject[]): boolean {
  return subjects.length > maxSubjects;
}

export function subjectsOf(
  tool: JudgedTool,
  values: RoleValues | undefined,
  place: Place,
  judges: Judges,
  concerns: Concerns = () => false,
): Subject[] {
  const own = wholeCall(tool);
  const { network } = own;
  if (values === undefined) return [own];
  const { command: commands, path: paths, url: urls, unreadable, fixed } = values;
  // Text for a running program is a command only if that program is a shell, which nobody knows: then it is both.
  const asShell = tool.isShell && (commands.length > 0 || fixed !== undefined) && values.stdin === undefined;
  const subjects: Subject[] = [];
  const hidesSecrets = tool.hidesSecrets?.() === true;
  // The folder a shell runs in is only looked at, and its commands' paths start there.
  const cwd = asShell && paths[0] !== undefined ? resolve(place.cwd, paths[0]) : place.cwd;
  for (const line of commands) {
    if (isFull(subjects)) break;
    subjects.push(...commandSubjects(line, { ...place, cwd, hidesSecrets }, judges, concerns, tool.language));
  }
  if (fixed !== undefined) {
    const parts = commandSubjects(
      fixed.command,
      { ...place, cwd: fixed.cwd, hidesSecrets },
      judges,
      concerns,
    );
    if (fixed.doubt !== undefined) parts.push(opaqueSubject(fixed.doubt, fixed.command));
    subjects.push(...parts.map((part) => ({ ...part, fixed: true as const })));
  }
  const risk = asShell ? "read" : tool.permission;
  const url = urls.length === 1 ? { url: urls[0] as string } : {};
  const locate = locator(place, judges);
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
  if (values.search !== undefined)
    subjects.push(...searchSubjects(values.search, { risk, network, label: "" }, place, judges, concerns));
  const reachesOut = network || values.urlIsName !== true;
  for (const one of urls) {
    const file = isFileUri(one) && mayOpenFiles(tool.capabilities) ? { path: locateUri(one) } : undefined;
    subjects.push({ risk, network: reachesOut, url: one, label: one, ...file });
  }
  if (unreadable.includes("path"))
    subjects.push({ risk, network, path: "unknown", label: "a path that is not text" });
  if (unreadable.includes("url")) subjects.push({ risk, network: true, label: "a URL that is not text" });
  if (unreadable.includes("command")) subjects.push(opaqueSubject("it is not text", "a command"));
  if (!asShell && paths.length === 0 && urls.length === 0) subjects.push(own);
  return isFull(subjects) ? withoutTheRest(subjects, commands[0] ?? "") : subjects;
}

/** The files that a search opens without their being named. */
function searchSubjects(
  search: SearchReach,
  base: Subject,
  place: Place,
  judges: Judges,
  concerns: Concerns,
): Subject[] {
  const locate = locator(place, judges);
  return searchTrees(search, place.cwd, place.roots).flatMap((tree) => {
    const { paths, complete } = lookBelow(tree, { ...judges, cwd: place.cwd, concerns });
    const found = paths.map((path): Subject => {
      const label = `${path} (reached by a search in ${tree.path})`;
      return { ...base, path: locate(path, "read"), label, reached: true };
    });
    return complete ? found : [...found, { ...base, path: "unknown", label: `a search in ${tree.path}` }];
  });
}

function withoutTheRest(subjects: readonly Subject[], label: string): Subject[] {
  const rest = opaqueSubject(`more than ${maxSubjects} commands, paths and URLs in one call`, label);
  // Rules about paths must not overlook those that were left out.
  return [...subjects.slice(0, maxSubjects), { ...rest, path: "unknown", unseen: true }];
}

/** What there is to judge about a call that holds no command, path or URL: the tool itself. */
export function wholeCall(tool: JudgedTool): Subject {
  const network = tool.capabilities.some((capability) => capability.startsWith("net:"));
  return { risk: tool.permission, network, label: "" };
}

interface CommandPlace extends Place {
  readonly hidesSecrets: boolean;
}

function commandSubjects(
  line: string,
  place: CommandPlace,
  judges: Judges,
  concerns: Concerns,
  language?: CommandContext["shell"],
): Subject[] {
  if (judges.judgeCommand === undefined) return [opaqueSubject("no shell judge is configured", line)];
  const judged = judges.judgeCommand(line, { cwd: place.cwd, ...(language && { shell: language }) });
  const locate = locator(place, judges);
  const subjects: Subject[] = [];
  const addEach = (paths: readonly string[], access: "read" | "write", base: Subject) => {
    for (const path of paths) {
      if (isFull(subjects)) return;
      subjects.push({
        ...base,
        path: isFileUri(path) ? locateFileUri(path, (named) => locate(named, "read")) : locate(path, access),
      });
    }
  };
  let looked = 0;
  const isOurs = (word: string) =>
    word.includes("/") && ++looked <= maxSubjects && locate(word, "read").program === true;
  for (const written of judged.commands) {
    if (isFull(subjects)) return subjects;
    const { command, problem } = inRepository(written, place, judges.lookAtRepository);
    const opaque = problem === undefined ? {} : { opaque: problem };
    const { network } = command;
    const risk = riskInWorkspace(command, place, judges.expandGlob);
    const persons = personsCommandIn(command, isOurs);
    const base = {
      risk,
      network,
      command,
      label: command.argv.join(" "),
      ...opaque,
      ...(persons && { persons }),
    };
    const before = subjects.length;
    addEach(command.reads, "read", base);
    const folders = gitFolders(command);
    if (folders === undefined) subjects.push({ ...base, path: "unknown" });
    for (const folder of folders ?? []) {
      const path = locate(folder, "read");
      if (path.own === true || path.holdsOwn === true) subjects.push({ ...base, path });
    }
    addEach(command.writes, "write", base);
    const inWords = pathsInWords(command);
    if (inWords === undefined) subjects.push({ ...base, path: "unknown" });
    for (const path of inWords ?? []) {
      const { own, holdsOwn } = locate(path, "read");
      if (own === true && holdsOwn !== true) subjects.push({ ...base, path: locate(path, "write") });
    }
    const access = risk === "read" ? "read" : "write";
    for (const glob of command.globs) {
      if (isFull(subjects)) break;
      subjects.push({ ...base, path: locate(staticPrefix(glob), access) });
      // `.en*` is `.env`, and `*/../..` leads out: what it stands for is judged, not only where it starts.
      const matches = judges.expandGlob?.(glob, place.cwd);
      if (matches === undefined || matches.some((path) => isOption(glob, path)))
        subjects.push({ ...base, path: "unknown" });
      if (matches !== undefined) addEach(matches, access, base);
    }
    for (const tree of command.trees ?? []) {
      if (isFull(subjects)) break;
      const { paths, complete } = lookBelow(tree, { ...judges, cwd: place.cwd, concerns });
      for (const path of paths) {
        const location = locate(path, tree.access);
        if (place.hidesSecrets && tree.access === "read" && isHidden(location)) continue;
        subjects.push({
          ...base,
          path: location,
          label: `${path} (reached by ${base.label})`,
          reached: true,
        });
      }
      if (!complete) subjects.push({ ...base, path: "unknown" });
    }
    if (command.unknownPaths) subjects.push({ ...base, path: "unknown" });
    if (subjects.length === before) subjects.push(base);
  }
  for (const { path, access, command } of judged.redirects) {
    if (isFull(subjects)) break;
    subjects.push({
      risk: access,
      network: false,
      path: locate(path, access),
      label: `${access === "write" ? ">" : "<"} ${path}`,
      ...(command && { command }),
    });
  }
  for (const { reason, text } of judged.opaque) subjects.push(opaqueSubject(reason, text));
  if (judged.risk === "opaque" && judged.opaque.length === 0)
    subjects.push(opaqueSubject("it is not fully understood", line));
  if (language !== undefined) subjects.push(...pathsAsWritten(line, locate));
  else if (judged.unread === true) subjects.push(...pathsInUnread(line, locate));
  const handsOn = handedOn(judged.commands, (path) => locate(path, "read"));
  if (handsOn !== undefined) subjects.push({ risk: "read", network: false, label: line, handsOn });
  const persons = personsCommandInText(line, judged);
  if (persons !== undefined) subjects.push({ risk: "opaque", network: true, label: line, persons });
  // An empty line runs nothing.
  if (subjects.length === 0) subjects.push({ risk: "read", network: false, label: line });
  return subjects;
}

/** `grep x *` where a file is called `-f.env`. After a `cd` the folder stands before the star, too; `./*` is never an option. */
function isOption(glob: string, path: string): boolean {
  return !/(?:^|\/)\.\//.test(glob) && path.slice(path.lastIndexOf("/") + 1).startsWith("-");
}

/** A rule may name the path of one that is no secret, and outside of the workspace a sandbox hides less. */
function isHidden({ inside, protected: reason, own }: Location): boolean {
  return inside && reason !== undefined && own !== true;
}

function locator(place: Place, { locatePath }: Judges) {
  return (path: string, access: "read" | "write") =>
    locatePath(path, { cwd: place.cwd, roots: place.roots, access });
}

function opaqueSubject(reason: string, text: string): Subject {
  return { risk: "opaque", network: true, opaque: reason, label: text };
}

function staticPrefix(glob: string): string {
  const wild = glob.search(/[*?[{]/);
  const slash = glob.lastIndexOf("/", wild === -1 ? glob.length : wild);
  return slash === -1 ? "." : glob.slice(0, slash + 1);
}
