/** Switches off the programs that configuration names freely: filters, and hooks of newer gits. */
import { isUtf8 } from "node:buffer";
import type { Failure } from "../../../core/call/tool-answer.ts";

export interface NamedHelpers {
  /** Settings that switch them off. */
  readonly settings: readonly string[];
  /** The filters among them. */
  readonly filters: readonly string[];
}

/** `keys` is what `git config --list --name-only -z` printed: every name in effect, includes followed. */
export function switchOff(keys: Buffer): NamedHelpers | Failure {
  const filters = new Set<string>();
  const hooks = new Set<string>();
  // Byte for byte: two names that differ only in bytes that are no text are two names.
  for (const key of keys.toString("latin1").split("\0")) {
    const [, section, name] =
      /^(filter|hook)\.(.*)\.(?:clean|smudge|process|required|command|event|enabled)$/s.exec(key) ?? [];
    if (section === undefined || name === undefined) continue;
    const bytes = Buffer.from(name, "latin1");
    // `-c` takes everything before the first "=" for the key.
    if (name.includes("=") || !isUtf8(bytes)) return cannot(section, bytes);
    (section === "filter" ? filters : hooks).add(bytes.toString());
  }
  const settings = [
    ...[...filters].flatMap((name) => [
      `filter.${name}.clean=`,
      `filter.${name}.smudge=`,
      `filter.${name}.process=`,
      `filter.${name}.required=false`,
    ]),
    ...[...hooks].flatMap((name) => [`hook.${name}.enabled=false`, `hook.${name}.command=:`]),
  ];
  return { settings, filters: [...filters] };
}

function cannot(section: string, name: Buffer): Failure {
  const shown = JSON.stringify(name.toString());
  const message = `The configuration of this repository has a ${section} named ${shown}, which would run a program and cannot be switched off. Remove it from the configuration, then try again.`;
  return { code: "unsafe_repository", message };
}
