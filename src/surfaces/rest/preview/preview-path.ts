/** A path of a call as a person reads it: where it really leads, and whether that is outside or protected. */
import type { LookedAtCall } from "../../../gate/look-at-call.ts";
import { shownPath } from "../../../safe/files/workspace-files.ts";
import { redactText } from "../../../safe/redact/redact.ts";
import type { PreviewPath } from "../contract.ts";

export type ShownPath = (path: string, access: "read" | "write") => PreviewPath;

export function createShownPath({ locate, roots, cwd }: LookedAtCall): ShownPath {
  return (path, access) => {
    const { absolute, inside, protected: reason } = locate(path, access);
    const root = roots[0] ?? cwd;
    const shown = inside ? shownPath(absolute, { cwd: root }) : absolute;
    return {
      path: redactText(absolute),
      shown: redactText(shown),
      inside,
      access,
      ...(reason !== undefined && { protected: reason }),
    };
  };
}
