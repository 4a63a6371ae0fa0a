/** Checks the folders of a sandbox; a root that is too wide would make the sandbox a pretence. */

import { type BigIntStats, lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { isInside } from "../../core/input/inside-folder.ts";
import { quietly } from "../../core/run/quietly.ts";
import { words } from "../../core/text/words.ts";
import { protectedReason } from "../files/inside-root/protected-names.ts";

export type Roots =
  | { readonly ok: true; readonly writable: readonly string[]; readonly readable: readonly string[] }
  | { readonly ok: false; readonly message: string };

const TOO_WIDE = words("/ /bin /boot /dev /etc /lib /lib64 /proc /run /sbin /sys /usr /var /home /tmp");

const notAFolder = "is not an existing folder with an absolute path; create it or correct the path";

export function resolveRoots(options: {
  readonly writableRoots: readonly string[];
  readonly readOnlyRoots: readonly string[];
  readonly hidden: readonly string[];
}): Roots {
  const writable: string[] = [];
  const readable: string[] = [];
  for (const [list, target] of [
    [options.writableRoots, writable],
    [options.readOnlyRoots, readable],
  ] as const) {
    for (const root of list) {
      const real = realFolder(root);
      if (real === undefined) return refused(root, notAFolder);
      target.push(real);
    }
  }
  for (const root of writable) {
    if (TOO_WIDE.includes(root)) return refused(root, "is a system folder; name the project's own folder");
    const secret = protectedReason(root.split("/"), "read");
    if (secret !== undefined) return refused(root, `lies where secrets are (${secret}); move it`);
    const hidden = options.hidden.find((path) => isInside(root, realFolder(path) ?? path));
    if (hidden !== undefined)
      return refused(root, `lies inside ${hidden}, which is hidden from the sandbox; move it`);
  }
  return { ok: true, writable, readable };
}

/** Undefined: there is nothing. `unknown`: nobody can tell, as with a path that is too long. */
export function statsOf(path: string): BigIntStats | "unknown" | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return "unknown";
  }
}

/** Whether one of these folders holds the path. */
export function isBelowAny(path: string, folders: ReadonlySet<string>): boolean {
  for (let above = dirname(path); above !== dirname(above); above = dirname(above))
    if (folders.has(above)) return true;
  return false;
}

export function realPath(path: string): string | undefined {
  return quietly(() => realpathSync(path));
}

function realFolder(path: string): string | undefined {
  const real = isAbsolute(path) ? realPath(path) : undefined;
  return real !== undefined && quietly(() => statSync(real).isDirectory()) === true ? real : undefined;
}

function refused(root: string, why: string): Roots {
  return { ok: false, message: `Refused: the sandbox root ${JSON.stringify(root)} ${why}.` };
}
