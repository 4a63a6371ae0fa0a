/** Refuses a request that two readers could understand in two ways. */
import type { IncomingMessage } from "node:http";
import { type ProblemAnswer, problem } from "./problem.ts";

/** Undefined: fine. */
export function checkForm({
  url,
  rawHeaders,
}: Pick<IncomingMessage, "url" | "rawHeaders">): ProblemAnswer | undefined {
  if (url?.startsWith("/") !== true) return problem("bad_request", "The request target must be a path.");
  let seen = 0;
  /** Two values would be joined into one that is compared with the body. */
  let mcpHeaders: Set<string> | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const bit = once.get(name) ?? once.get(name.toLowerCase());
    if (bit === undefined) {
      if (!/^mcp-/i.test(name)) continue;
      const written = name.toLowerCase();
      if (mcpHeaders?.has(written) === true)
        return problem("bad_request", `The header ${written} is given twice.`);
      mcpHeaders ??= new Set();
      mcpHeaders.add(written);
      continue;
    }
    if ((seen & bit) !== 0) return problem("bad_request", `The header ${name.toLowerCase()} is given twice.`);
    seen |= bit;
  }
  return undefined;
}

/** Node keeps the first of two; what stands before us may have looked at the second. */
const once = new Map(
  ["host", "origin", "authorization", "content-type", "content-length", "content-encoding"].flatMap(
    (name, index) => [
      [name, 1 << index],
      [name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()), 1 << index],
    ],
  ) as [string, number][],
);
