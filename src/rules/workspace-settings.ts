/** Programs that files of the workspace choose: `cargo tree` starts what `.cargo/config.toml` names. */

import { dirname } from "node:path";
import { isInside } from "../core/input/inside-folder.ts";
import type { CommandRisk, JudgedCommand } from "../core/ports/command.ts";
import type { ExpandGlob } from "../core/ports/location.ts";

export function riskInWorkspace(
  { risk, settings }: JudgedCommand,
  { cwd, roots }: { readonly cwd: string; readonly roots: readonly string[] },
  expandGlob: ExpandGlob | undefined,
): CommandRisk {
  if (settings === undefined || risk !== "read") return risk;
  // What lies above the workspace is the person's own.
  const folders = upwards(cwd).filter((folder) => roots.some((root) => isInside(folder, root)));
  const isFree = folders.every((folder) =>
    settings.every((glob) => expandGlob?.(glob, folder)?.length === 0),
  );
  // Outside of every root nobody has looked.
  return isFree && folders.length > 0 ? risk : "execute";
}

function upwards(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}
