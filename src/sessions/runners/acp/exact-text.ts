/** The bytes of a file, from what the reading tool shows of it: an agent writes back what it was given. */
import { createHash } from "node:crypto";
import type { JsonObject } from "../../../core/input/json.ts";

const endings: Readonly<Record<string, string>> = { lf: "\n", crlf: "\r\n", cr: "\r" };

/** Undefined: nobody can tell. `isPart`: only some lines were asked for, and only they have to be right. */
export function exactText(shown: string, facts: JsonObject, isPart: boolean): string | undefined {
  const { startLine, endLine, sha256, lineEnding, size, nextOffset } = facts;
  if (size === 0) return "";
  if (typeof startLine !== "number" || typeof endLine !== "number") return undefined;
  const ending = endings[String(lineEnding)];
  if (ending === undefined) return undefined;
  // What the tool says about the file comes after its lines.
  const count = startLine === 0 ? 0 : endLine - startLine + 1;
  const lines = shown.split("\n").slice(0, count);
  const text = lines.join(ending);
  if (isPart) return lines.some((line) => line.endsWith(" more in this line]")) ? undefined : text;
  if (typeof sha256 !== "string" || nextOffset !== undefined) return undefined;
  return [text, `${text}${ending}`].find((one) => hashOf(one) === sha256);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
