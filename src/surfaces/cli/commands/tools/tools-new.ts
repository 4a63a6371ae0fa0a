/** `toolgate tools new`: writes a plugin file that works and has tests, to start from. */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { shownName } from "../../../../core/text/visible.ts";
import { explainBadToolId, maxToolNameLength } from "../../../../core/tool/tool-name.ts";
import { findPluginFolders, type PlacedFolder } from "../../../../open/open-plugins.ts";
import { openTools } from "../../../../open/open-tools.ts";
import { pluginToolName } from "../../../../sources/plugins/plugin-format.ts";
import { type StarterType, starterPlugin } from "../../../../sources/plugins/starter-plugin.ts";
import { type CommonOptions, openUsable } from "../../open/effective-config.ts";
import { realPath } from "../../open/real-path.ts";
import { type CliIo, exitCodes, fail, printJson } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { saveFile } from "../../terminal/save-file.ts";
import { shownPath } from "../../terminal/shown.ts";

interface ToolsNewOptions extends CommonOptions {
  readonly name?: string | undefined;
  readonly type?: StarterType | undefined;
  /** Where to put it; by default the user's own folder. */
  readonly dir?: string | undefined;
}

export async function runToolsNew(options: ToolsNewOptions, io: CliIo): Promise<number> {
  const { name = "my-tool", type = "shell" } = options;
  if (!pluginToolName.test(name) || explainBadToolId(name) !== undefined)
    return fail(
      `${shownName(name)} cannot be a tool's name: at most ${maxToolNameLength} letters, digits, "_" and "-", and first a letter or a digit.`,
      io,
    );
  const config = await openUsable(options, io);
  const folder =
    options.dir === undefined ? join(config.folders.config, "tools") : resolve(io.cwd, options.dir);
  const file = join(folder, `${name}.json`);
  const path = shownPath(file, io.cwd);
  await using open = await openTools(config, { durable: false });
  const holder = open.gate.tools.get(name);
  if (holder !== undefined)
    return fail(
      `The name "${name}" is taken by the ${holder.source.kind} tool ${holder.id}; choose another one.`,
      io,
    );
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    return fail(`${shownPath(folder, io.cwd)} cannot be made: ${(error as Error).message}`, io);
  }
  const text = starterPlugin({ name, type, fileName: `${name}.json`, schema: schemaUrl });
  const wrong = saveFile(file, text, false, "There is a file already; nothing was changed.");
  if (wrong !== undefined) return fail(`${path}: ${wrong}`, io);
  if (options.json === true) printJson({ file, name, type }, io);
  else io.out(`Wrote ${path}\n${asTyped(nextSteps(path, whereItIs(folder, findPluginFolders(config))), io)}`);
  return exitCodes.ok;
}

/** Beside `dist` and beside `src` alike. */
const schemaUrl = new URL("../../../../../schemas/plugin.schema.json", import.meta.url).href;

function whereItIs(folder: string, known: readonly PlacedFolder[]): PlacedFolder["origin"] | undefined {
  return known.find(({ path }) => realPath(path) === realPath(folder))?.origin;
}

function nextSteps(path: string, origin: PlacedFolder["origin"] | undefined): string {
  const steps = [
    `  toolgate test ${path}       run its tests`,
    `  toolgate tools validate ${path}   after each change`,
  ];
  if (origin === "project")
    steps.push(`  toolgate trust ${path}      a project's plugins are loaded once you trust them`);
  if (origin === undefined)
    steps.push(
      "  Nothing is loaded from this folder yet: name it in a configuration file under plugins.folders.",
    );
  return `${steps.join("\n")}\n`;
}
