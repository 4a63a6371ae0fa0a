/** Walks to a path, lets an operation use what is held there, and releases it whatever happens. */

import { quoted, type Refusal, refusalFromErrno, refuse, refuseAs, refusePath } from "../refusal.ts";
import type { Scope } from "../scope.ts";
import type { Grip } from "./grip.ts";
import { type Spot, type WalkOptions, walk } from "./walk.ts";

/** What was replaced during a look (an editor saved) is looked at again; an attack ends as `changed`. */
const attempts = 4;

export async function withSpot<Result>(
  scope: Scope,
  request: string,
  options: WalkOptions,
  use: (spot: Spot) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await once(scope, request, options, use);
    if (attempt === attempts || !isRefusal(result) || result.code !== "changed") return result;
  }
}

async function once<Result>(
  scope: Scope,
  request: string,
  options: WalkOptions,
  use: (spot: Spot) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const spot = walk(scope, request, options);
  if (!spot.ok) return spot;
  try {
    return await use(spot);
  } catch (error) {
    return refusalFromErrno(error, request);
  } finally {
    spot.release();
  }
}

function isRefusal(result: unknown): result is Refusal {
  return typeof result === "object" && result !== null && "ok" in result && result.ok === false;
}

export function missing(request: string): Refusal {
  return refuseAs("ENOENT", request);
}

/** Only regular files have contents for tools: a FIFO blocks, a device acts, a socket talks. */
export function refuseSpecial(target: Grip, request: string): Refusal | undefined {
  if (target.stats.isFile()) return undefined;
  const what = target.stats.isDirectory()
    ? "a directory. List it, or name a file inside it"
    : "not a regular file. Only regular files can be used";
  return refusePath("not_a_file", request, `is ${what}.`);
}

export function refuseHardLink(request: string, consequence: string): Refusal {
  return refusePath(
    "hard_link",
    request,
    `has a second name elsewhere (a hard link), ${consequence}. Make a copy under a new name and use that, or ask a person for a rule that allows this path.`,
  );
}

export function cancelled(request: string): Refusal {
  return refuse("cancelled", request, `The work on ${quoted(request)} was cancelled.`);
}
