/** `createGate` of the library: the bare gate, and with `builtin` or `rules` the one that the command line opens. */

import { isRecord } from "../core/input/json.ts";
import { createGate as createBareGate } from "../gate/create-gate.ts";
import type { Gate } from "../gate/gate.ts";
import { type GateOptions as BareOptions, gateOptionNames, refuseUnknownKeys } from "../gate/gate-options.ts";
import type { BuiltinChoice } from "./open-library-gate.ts";

export type { BuiltinChoice } from "./open-library-gate.ts";

export interface GateOptions extends BareOptions {
  /** The built-in tools. `true`: all, over the first of `roots`. */
  readonly builtin?: boolean | BuiltinChoice;
  /**
   * Rule files, as `toolgate --config FILE` reads them: trusted, and nothing else is looked for. A relative
   * path is one from the current folder. Rules beside them add to them; other options take their place.
   */
  readonly rules?: string | readonly string[];
  /** Hears what a person should know: a sandbox that is missing, an upstream server that fails. */
  readonly onNote?: (text: string) => void;
}

/** Throws a ToolgateError that says what is wrong, and where. */
export async function createGate(options: GateOptions = {}): Promise<Gate> {
  if (!isRecord(options)) return createBareGate(options);
  refuseUnknownKeys("createGate", options, [...gateOptionNames(), "builtin", "rules", "onNote"]);
  const { builtin = false, rules, onNote, ...given }: GateOptions = options;
  if (builtin === false && rules === undefined) return createBareGate(given);
  // Whoever has only tools of their own never loads the others.
  const { openLibraryGate } = await import("./open-library-gate.ts");
  return openLibraryGate({ builtin, rules, onNote, given });
}
