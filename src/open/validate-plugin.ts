/** Everything that is wrong with a plugin, without loading it into a gate of one's own. */
import { basename, dirname, resolve } from "node:path";
import { messageOf, ToolgateError } from "../core/call/errors.ts";
import { isRecord } from "../core/input/json.ts";
import { createGate } from "../gate/create-gate.ts";
import { type ReadFile, readTextFile } from "../safe/files/documents/read-text-file.ts";
import type { PluginError } from "../sources/plugins/plugin-error.ts";
import { type PluginReport, PluginSet } from "../sources/plugins/plugin-set.ts";

export interface PluginValidation extends Pick<PluginReport, "success" | "errors" | "warnings"> {
  /** The names of the tools that can be used. */
  readonly tools: readonly string[];
}

/** A file, or what would stand in one as an object. Nothing of it runs; what is wrong is never thrown. */
export async function validatePlugin(plugin: string | object): Promise<PluginValidation> {
  if (typeof plugin !== "string" && !isRecord(plugin))
    throw new ToolgateError("validatePlugin takes the path of a plugin file, or what would stand in it.");
  const file = resolve(typeof plugin === "string" ? plugin : "plugin.json");
  const written = typeof plugin === "string" ? undefined : write(plugin, file);
  if (written?.ok === false) return { success: false, tools: [], errors: [written.error], warnings: [] };
  const gate = await createGate();
  try {
    const set = new PluginSet({
      host: gate.tools,
      folders: () => [{ path: dirname(file), only: [basename(file)], gradeOf: () => "trusted" }],
      env: process.env,
      // Whoever asks wants to know how it is now.
      settleMs: 0,
      readFile: () => written?.read ?? readTextFile(file),
    });
    const { success, errors, warnings } = await set.reload();
    return { success, tools: set.tools.map(({ tool }) => tool.id), errors, warnings };
  } finally {
    await gate.close();
  }
}

type Written =
  | { readonly ok: true; readonly read: ReadFile }
  | { readonly ok: false; readonly error: PluginError };

function write(plugin: object, source: string): Written {
  try {
    return { ok: true, read: { ok: true, text: JSON.stringify(plugin, undefined, 2), sha256: "" } };
  } catch (error) {
    return { ok: false, error: { source, message: `It cannot be written as JSON: ${messageOf(error)}` } };
  }
}
