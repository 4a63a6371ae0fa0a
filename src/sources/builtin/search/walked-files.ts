/** The chosen files below a folder, found through verified handles, in the order of their names. */
import type { Refusal, Scanned, TakePiece, TreeVisit } from "../../../safe/files/inside-root/inside-root.ts";
import type { FileChoice } from "./file-choice.ts";
import { type IgnoreLevels, isIgnored, levelsAbove, withLevel } from "./ignore-levels.ts";
import type { SearchPlace } from "./search-place.ts";

export interface FoundFile {
  /** From the folder that is searched. */
  readonly names: readonly string[];
  /** Fails for what may not be read: protected files, files with a second name. */
  scan(take: TakePiece): Promise<Scanned | Refusal>;
}

export interface WalkedFile extends FoundFile {
  modifiedMs(): number | undefined;
}

/** `false`: enough. */
export type TakeFile<File extends FoundFile = FoundFile> = (
  file: File,
) => Promise<boolean | undefined> | boolean | undefined;

export async function walkFiles(
  place: SearchPlace,
  choice: FileChoice,
  take: TakeFile<WalkedFile>,
): Promise<TreeVisit | Refusal> {
  const { files, root, folder, signal } = place;
  const above = choice.ignored ? [] : await levelsAbove(files, root, folder);
  const stack: IgnoreLevels[] = [above];
  const isOut = (names: readonly string[], isDirectory: boolean) =>
    !choice.ignored && isIgnored(stack.at(-1) as IgnoreLevels, [...folder, ...names], isDirectory);
  return files.visitTree(
    place.absolute,
    {
      enter: async (names, directory) => {
        const text = directory.has(".gitignore") ? await directory.read(".gitignore") : undefined;
        stack.push(withLevel(stack.at(-1) as IgnoreLevels, folder.length + names.length, text));
      },
      leave: () => void stack.pop(),
      wants: (names, kind) => {
        if (kind === "directory") return choice.mayEnter(names) && !isOut(names, true);
        return kind === "file" && choice.wantsFile(names) && !isOut(names, false);
      },
      entry: (entry) => (entry.kind === "file" ? take(entry) : undefined),
    },
    { signal },
  );
}
