/** A folder that a plugin's author named: absolute, below ~, or beside the file. Never made from a value. */
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

export type FixedFolder =
  | { readonly ok: true; readonly absolute: string }
  | { readonly ok: false; readonly message: string };

export function fixedFolder(written: string, pluginFolder: string): FixedFolder {
  if (typeof written !== "string" || written.trim() === "")
    return refuse(
      "it is empty; name a folder, relative to the plugin file, absolute, or below ~/ (. is the plugin's own)",
    );
  if (written.includes("\0")) return refuse("it holds a NUL character");
  if (written.includes("{{"))
    return refuse("it holds a placeholder, and a value must not choose the folder; write it in full");
  if (written === "~" || written.startsWith("~/")) return ok(join(homedir(), written.slice(1)));
  if (written.startsWith("~"))
    return refuse("the home folders of other users are not looked up; write the path in full");
  return ok(isAbsolute(written) ? resolve(written) : resolve(pluginFolder, written));
}

function ok(absolute: string): FixedFolder {
  return { ok: true, absolute };
}

function refuse(message: string): FixedFolder {
  return { ok: false, message: `The folder cannot be used: ${message}.` };
}
