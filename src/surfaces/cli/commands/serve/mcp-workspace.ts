/** Which folder `toolgate mcp` and `serve` work in: where they start, unless that is everything. */
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { findFolders } from "../../../../config/folders.ts";
import { visible } from "../../../../core/text/visible.ts";
import { realPath } from "../../open/real-path.ts";
import type { CliIo } from "../../terminal/io.ts";

export type McpWorkspace =
  | { readonly ok: true; readonly folder: string }
  | { readonly ok: false; readonly message: string };

export function chooseWorkspace(given: string | undefined, io: CliIo): McpWorkspace {
  const { cwd } = io;
  if (given !== undefined) {
    const folder = resolve(cwd, given);
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return { ok: true, folder };
    // A client that does not know `${workspaceFolder}` hands it over as it is.
    return { ok: false, message: `--workspace: there is no folder ${visible(folder)}.` };
  }
  // Desktop programs start servers in the home folder or in /.
  if (!isEverything(io)) return { ok: true, folder: cwd };
  const message = `toolgate mcp was started in ${visible(cwd)}: everything below it would be the workspace, whose files are read without asking. Name the folder to work in: toolgate mcp --workspace FOLDER`;
  return { ok: false, message };
}

/** Started in the home folder or in /: reading inside the workspace needs no approval. */
export function isEverything({ cwd, env }: CliIo): boolean {
  const here = realPath(cwd);
  return here === dirname(here) || here === realPath(findFolders(env).home);
}
