/** `unzip`: listing and printing read; anything else unpacks files that the archive names. */

import { isLiteral } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";
import { EXECUTE } from "../walk.ts";
import { judgeUnknown } from "./unknown.ts";

export function readUnzip(use: CommandUse): void {
  const [, letters, archive, ...members] = use.args;
  if (!isLiteral(letters) || archive === undefined || !/^-[qC]*(?:[lvtpcz]|Z1?)[qC]*$/.test(letters.text)) {
    judgeUnknown(use);
    use.goesBeyond("unpacks files", EXECUTE);
    return;
  }
  use.readPath(archive);
  use.readCompleted(archive, ENDINGS);
  // It looks for archives by patterns itself.
  if (/[*?[\]\\]/.test(archive.text)) use.unknownPaths = true;
  for (const member of members) {
    if (!isLiteral(member) || member.text.startsWith("-")) {
      use.goesBeyond(`${member.text} may be an option`, EXECUTE);
      use.unknownPaths = true;
    }
  }
}

const ENDINGS = [".zip", ".ZIP"];
