/** What a server lists against what was accepted: the same, new, changed, gone. */
import type { ToolPin } from "../../../core/ports/pins.ts";

export interface Findings {
  /** Accepted as they are now. */
  readonly same: readonly ToolPin[];
  readonly fresh: readonly ToolPin[];
  /** As the server has them now. */
  readonly changed: readonly ToolPin[];
  /** Names of accepted tools that it no longer has. */
  readonly gone: readonly string[];
}

/** In the order of what was accepted, then as listed: a server cannot shuffle the list of tools. */
export function compareDefinitions(accepted: readonly ToolPin[], listed: readonly ToolPin[]): Findings {
  const now = new Map(listed.map((pin) => [pin.name, pin]));
  const before = new Set(accepted.map(({ name }) => name));
  const same: ToolPin[] = [];
  const changed: ToolPin[] = [];
  const gone: string[] = [];
  for (const pin of accepted) {
    const found = now.get(pin.name);
    if (found === undefined) gone.push(pin.name);
    else if (found.digest === pin.digest) same.push(pin);
    else changed.push(found);
  }
  return { same, fresh: listed.filter(({ name }) => !before.has(name)), changed, gone };
}
