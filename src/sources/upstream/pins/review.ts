/** What waits for a person at an upstream server, and accepting exactly the definitions that were shown. */
import type { JsonObject } from "../../../core/input/json.ts";
import type { Accepted, AcceptedPin, PinStore, Seen } from "../../../core/ports/pins.ts";
import { compareDefinitions } from "./compare-definitions.ts";
import { textDigest } from "./definition.ts";

export interface ReviewItem {
  readonly server: string;
  /** As the server names it; `(instructions)` for what the server says about itself. */
  readonly tool: string;
  readonly why: "new" | "changed" | "instructions-changed";
  /** Of what would be accepted. */
  readonly digest: string;
  readonly before?: JsonObject | string;
  readonly after: JsonObject | string;
}

export const instructionsName = "(instructions)";

/** Reads what was seen last; asks nobody. */
export async function reviewItems(pins: PinStore, server: string, key: string): Promise<ReviewItem[]> {
  return waitingItems(server, await pins.accepted(key), await pins.seen(key));
}

function waitingItems(server: string, accepted: Accepted | undefined, seen: Seen | undefined): ReviewItem[] {
  if (seen === undefined) return [];
  const before = new Map((accepted?.tools ?? []).map((pin) => [pin.name, pin]));
  const items = seen.tools
    .filter(({ name, digest }) => before.get(name)?.digest !== digest)
    .map(({ name, digest, definition }): ReviewItem => {
      const old = before.get(name);
      return {
        server,
        tool: name,
        why: old === undefined ? "new" : "changed",
        digest,
        ...(old && { before: old.definition }),
        after: definition,
      };
    });
  const { instructions } = seen;
  if (instructions === undefined || instructions === accepted?.instructions) return items;
  const told: ReviewItem = {
    server,
    tool: instructionsName,
    why: "instructions-changed",
    digest: textDigest(instructions),
    ...(accepted?.instructions !== undefined && { before: accepted.instructions }),
    after: instructions,
  };
  return [...items, told];
}

/** Answers those that are in force now; one that changed again since it was shown is left out. */
export async function acceptItems(
  pins: PinStore,
  server: string,
  key: string,
  wanted: readonly { readonly tool: string; readonly digest: string }[],
): Promise<ReviewItem[]> {
  const asked = new Set(wanted.map(({ tool, digest }) => `${digest} ${tool}`));
  let taken: ReviewItem[] = [];
  const accepted = await pins.change(key, (now, seen) => {
    const at = Date.now();
    // What waits is read together with what is changed: nothing is accepted that was not shown.
    taken = waitingItems(server, now, seen).filter(({ tool, digest }) => asked.has(`${digest} ${tool}`));
    const tools = new Map(now.tools.map((pin) => [pin.name, pin]));
    let { instructions } = now;
    for (const { tool, digest, after } of taken) {
      if (typeof after === "string") instructions = after;
      else tools.set(tool, { name: tool, digest, definition: after, at, by: "person" } satisfies AcceptedPin);
    }
    return { tools: [...tools.values()], ...(instructions !== undefined && { instructions }) };
  });
  await forgetAccepted(pins, key, accepted);
  return taken;
}

/** What is accepted now no longer waits. */
async function forgetAccepted(pins: PinStore, key: string, accepted: Accepted): Promise<void> {
  const seen = await pins.seen(key);
  if (seen === undefined) return;
  const { fresh, changed } = compareDefinitions(accepted.tools, seen.tools);
  const { instructions, ...rest } = seen;
  await pins.saw(key, {
    ...rest,
    tools: [...fresh, ...changed],
    ...(instructions !== undefined && instructions !== accepted.instructions && { instructions }),
  });
}
