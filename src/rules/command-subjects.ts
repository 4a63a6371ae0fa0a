/** The parts of a command line: each command with each path that it touches, redirections, unread text. */
import { isFileUri } from "../core/input/file-uri.ts";
import type { JudgedCommand } from "../core/ports/command.ts";
import type { Location } from "../core/ports/location.ts";
import { inRepository } from "./in-repository.ts";
import { lookBelow } from "./look-below.ts";
import { gitFolders, handedOn, locateFileUri, pathsInWords } from "./own/own-in-line.ts";
import { personsCommandIn, personsCommandInText } from "./own/persons-commands.ts";
import { pathsAsWritten, pathsInUnread } from "./paths-as-written.ts";
import {
  isFull,
  type JudgedTool,
  locator,
  maxSubjects,
  opaqueSubject,
  type Subject,
  type Surroundings,
} from "./subject.ts";
import { riskInWorkspace } from "./workspace-settings.ts";

/** `place`: where the line runs. */
export interface LineSurroundings extends Surroundings, Pick<JudgedTool, "language"> {
  /** The line runs where secrets of the workspace cannot be read. */
  readonly hidesSecrets: boolean;
}

export function commandSubjects(line: string, around: LineSurroundings): Subject[] {
  const { place, judgeCommand, expandGlob, language, hidesSecrets } = around;
  if (judgeCommand === undefined) return [opaqueSubject("there is no shell judge to read it", line)];
  const judged = judgeCommand(line, { cwd: place.cwd, ...(language && { shell: language }) });
  const locate = locator(around);
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
    (word.includes("/") || word.startsWith("hook.")) &&
    placesOf(word, judged.commands).some((path) => {
      if (++looked > maxSubjects) return false;
      const { program, own, holdsOwn } = locate(path, "read");
      return program === true || (own === true && holdsOwn !== true);
    });
  for (const written of judged.commands) {
    if (isFull(subjects)) return subjects;
    const { command, problem } = inRepository(written, place, around.lookAtRepository);
    const opaque = problem === undefined ? {} : { opaque: problem };
    const { network } = command;
    const risk = riskInWorkspace(command, place, expandGlob);
    const persons = personsCommandIn(command, isOurs);
    const label = command.argv.join(" ");
    const unclear = risk === "opaque" ? judged.opaque.find(({ text }) => text === label)?.reason : undefined;
    const base = {
      risk,
      network,
      command,
      label,
      ...opaque,
      ...(unclear !== undefined && { unclear }),
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
      const matches = expandGlob?.(glob, place.cwd);
      if (matches === undefined || matches.some((path) => isOption(glob, path)))
        subjects.push({ ...base, path: "unknown" });
      if (matches !== undefined) addEach(matches, access, base);
    }
    for (const tree of command.trees ?? []) {
      if (isFull(subjects)) break;
      const { paths, complete } = lookBelow(tree, around);
      for (const path of paths) {
        const location = locate(path, tree.access);
        if (hidesSecrets && tree.access === "read" && isHidden(location)) continue;
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
    subjects.push(opaqueSubject("a part of the line is not read here", line));
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

/** A path as written, and as it is where the line may have gone before: `cd ~/.local/share && ./hook.sh`. */
function placesOf(word: string, commands: readonly JudgedCommand[]): readonly string[] {
  if (word.startsWith("/") || word.startsWith("~")) return [word];
  const folders = commands.flatMap(({ argv }) =>
    /^(?:cd|pushd)$/.test(argv[0] ?? "") ? (argv.findLast((text) => !text.startsWith("-")) ?? []) : [],
  );
  return [word, ...folders.slice(0, maxFolders).map((folder) => `${folder}/${word}`)];
}

const maxFolders = 8;

/** `grep x *` where a file is called `-f.env`. After a `cd` the folder comes first. `./*` is no option. */
function isOption(glob: string, path: string): boolean {
  return !/(?:^|\/)\.\//.test(glob) && path.slice(path.lastIndexOf("/") + 1).startsWith("-");
}

/** A rule may name the path of one that is no secret, and outside of the workspace a sandbox hides less. */
function isHidden({ inside, protected: reason, own }: Location): boolean {
  return inside && reason !== undefined && own !== true;
}

function staticPrefix(glob: string): string {
  const wild = glob.search(/[*?[{]/);
  const slash = glob.lastIndexOf("/", wild === -1 ? glob.length : wild);
  return slash === -1 ? "." : glob.slice(0, slash + 1);
}
