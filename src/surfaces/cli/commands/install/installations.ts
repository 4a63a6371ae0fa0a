/** Which settings files were written, and how: kept beside the copies of the hook that they name. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { SettingsChange, SetupMemory } from "../../../../agents/agent-setup.ts";
import { firstMissing, removeEmpty } from "../../../../agents/made-folders.ts";
import { putInPlace } from "../../../../config/rule-cache/put-in-place.ts";
import { isRecord } from "../../../../core/input/json.ts";
import { ageOf, copiesFolder, copiesIn, removeCopy } from "./hook-copies.ts";

export interface Installations extends SetupMemory {
  /** Before anything is put into the folder: what has to be made for it goes again with it. */
  begin(): void;
  /**
   * Removes copies that no settings file names; without installations the folder goes, too. `named`: lines of
   * settings that may be known to the agent alone. `fresh`: a copy that no session can know yet.
   */
  tidy(seen: { readonly named: readonly string[]; readonly fresh?: string | undefined }): void;
}

interface Kept {
  /** The topmost folder that had to be made. */
  readonly madeFolder?: string;
  readonly files: Readonly<Record<string, SettingsChange>>;
}

/** A session that was started before an update still names the old copy. */
const keptMs = 7 * 24 * 3_600_000;

export function openInstallations(data: string): Installations {
  const folder = copiesFolder(data);
  const file = join(folder, "installations.json");
  let kept = read(file);
  const save = (next: Kept) => {
    kept = next;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    putInPlace(file, Buffer.from(`${JSON.stringify(kept, null, 2)}\n`), { durable: true });
  };
  return {
    begin() {
      const madeFolder = firstMissing(folder);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (madeFolder !== undefined) save({ ...kept, madeFolder });
    },
    recall: (settings) => kept.files[settings],
    remember(settings, change) {
      const { [settings]: _, ...others } = kept.files;
      if (change === undefined && kept.files[settings] === undefined) return;
      save({ ...kept, files: change === undefined ? others : { ...others, [settings]: change } });
    },
    tidy({ named, fresh }) {
      const texts = [...Object.keys(kept.files).map(textOf), ...named];
      // In JSON and in a shell line some characters of a path have a backslash; a copy's name has none of them.
      const isUsed = (copy: string) => texts.some((text) => text.includes(`/${basename(copy)}/`));
      const isOver = Object.keys(kept.files).length === 0 && !copiesIn(data).some(isUsed);
      for (const copy of copiesIn(data))
        if (!isUsed(copy) && (isOver || copy === fresh || ageOf(copy) > keptMs)) removeCopy(copy);
      if (!isOver) return;
      rmSync(file, { force: true });
      removeEmpty(folder, kept.madeFolder ?? dirname(folder));
    },
  };
}

/** A file that is damaged, or of another version, is as good as none: then uninstall takes the hooks out, no more. */
function read(file: string): Kept {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isRecord(value) && isRecord(value.files)) return value as unknown as Kept;
  } catch {
    // There is none.
  }
  return { files: {} };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
