/** What whoever makes the browser tools may choose. */
import { ToolgateError } from "../../../core/call/errors.ts";
import { unknownKeys } from "../../../core/input/unknown-keys.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import type { Resolve } from "../../../safe/net/connect.ts";

/**
 * Whether the rules let a page lead there; a text says why not. `from` is the page that leads there. Without
 * it, the address is a part of a page that was let through, and only what the rules deny is refused.
 */
export type MayLoad = (
  to: string,
  context: ToolContext,
  from: string | undefined,
) => Promise<string | undefined>;

export interface BrowserOptions {
  /** `true`, or the `host:port` pairs of one's own network that may be reached. Default: only public ones. */
  readonly allowPrivate?: boolean | readonly string[];
  /** Asked about every page and part of a page. Default: pages of the same host, and all parts. */
  readonly mayLoad?: MayLoad;
  /** Chrome or Chromium. Default: `CHROME_PATH`, then what the system has. */
  readonly executable?: string;
  /** The browser's own sandbox around pages. Default true; the superuser has to switch it off. */
  readonly sandbox?: boolean;
  /** A browser that nobody uses for so long is closed. Default ten minutes. */
  readonly idleMs?: number;
  /** Running at once in all sessions. Default 8. */
  readonly maxBrowsers?: number;
  readonly resolve?: Resolve;
}

export interface BrowserSettings
  extends Required<Omit<BrowserOptions, "mayLoad" | "executable" | "resolve">> {
  readonly mayLoad: MayLoad | undefined;
  readonly executable: string | undefined;
  readonly resolve: Resolve | undefined;
}

export function readOptions(options: BrowserOptions = {}): BrowserSettings {
  const known = ["allowPrivate", "mayLoad", "executable", "sandbox", "idleMs", "maxBrowsers", "resolve"];
  const [unknown] = unknownKeys(options, known);
  if (unknown !== undefined)
    throw new ToolgateError(`The browser tools have no option "${unknown.key}"; ${unknown.instead}`);
  const { allowPrivate = false, mayLoad, executable, resolve, sandbox = true } = options;
  const { idleMs = 600_000, maxBrowsers = 8 } = options;
  // A misspelt choice must not mean that pages run without the sandbox.
  if (typeof sandbox !== "boolean") throw new ToolgateError("sandbox is true or false.");
  for (const [name, value] of Object.entries({ idleMs, maxBrowsers }))
    if (!Number.isSafeInteger(value) || value < 1 || value >= 2 ** 31)
      throw new ToolgateError(`${name} must be a whole number above 0, not ${value}.`);
  return { allowPrivate, mayLoad, executable, sandbox, idleMs, maxBrowsers, resolve };
}
