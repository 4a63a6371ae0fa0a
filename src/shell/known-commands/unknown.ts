/** Programs without a reader of their own: they run code, take paths, and may write anything. */

import { LITERAL } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";
import { EXECUTE } from "../walk.ts";

export function judgeUnknown(use: CommandUse): void {
  use.raise(EXECUTE);
  use.unknownPaths = true;
  readPathLikeOperands(use);
}

export function readPathLikeOperands(use: CommandUse): void {
  for (let i = 1; i < use.args.length; i++) {
    const arg = use.args[i];
    if (arg === undefined) continue;
    if (arg.kind !== LITERAL) use.readPath(arg);
    else {
      const inside = PATH_INSIDE.exec(arg.text)?.[1];
      if (inside !== undefined && looksLikePath(inside)) use.readPath({ ...arg, text: inside });
      const equals = arg.text.charCodeAt(0) === 45 ? arg.text.indexOf("=") : -1;
      if (equals >= 0) {
        const text = arg.text.slice(equals + 1);
        if (looksLikePath(text)) use.readPath({ ...arg, text });
      } else if (looksLikePath(arg.text)) use.readPath(arg);
    }
  }
}

function looksLikePath(text: string): boolean {
  return text.charCodeAt(0) !== 45 && PATH_LIKE.test(text);
}

/** Behind the last of these a file is named: `curl -d @FILE`, `-F x=@FILE`, `-F 'x=<FILE'`. */
const PATH_INSIDE = /[@<]([^@<]+)$/;
const PATH_LIKE = /[./~]|^[\w-]+$/;
