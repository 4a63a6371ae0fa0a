/** The file of a plugin: what the build made of its source, below the values of this installation. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packagedBundle } from "../packaged-bundle.ts";
import type { FilePart } from "../set-up/file-part.ts";
import { isNamed } from "../set-up/hook-lines.ts";
import { hookVariables } from "../set-up/hook-variables.ts";
import { ownFile } from "../set-up/own-file.ts";
import type { PluginValues } from "./plugin-values.ts";

/** `plugin`: whose source it is; agents may share one. */
export function pluginFile(
  agent: string,
  file: string,
  plugin: string = agent,
  folder: string = dirname(packagedBundle()),
): FilePart {
  return ownFile({
    agent,
    file,
    comment: "//",
    text: ({ before: { words } }) => {
      const values = JSON.stringify(valuesOf(agent, words), undefined, 2);
      return `// Made by toolgate install ${agent}, which writes it anew; see there for what it does.\nconst toolgateValues = ${values};\n${codeOf(plugin, folder)}`;
    },
  });
}

/** With the line's own words: what is installed and what is tried out by hand are the same. */
function valuesOf(agent: string, words: readonly string[]): PluginValues {
  const [program = "", , node, seconds] = words;
  const isScript = isNamed(program, "hook.sh");
  return {
    agent,
    node: isScript && node !== undefined ? node : "node",
    hook: program.replace(/hook\.sh$/, "hook.cjs"),
    seconds: isScript ? Number(seconds) : secondsForPeople,
    variables: hookVariables,
  };
}

/** No agent ends a plugin that waits. */
const secondsForPeople = 300;

/** Empty where nothing is built: then what is installed is not as it should be, and `examine` says so. */
function codeOf(plugin: string, folder: string): string {
  try {
    const all = JSON.parse(readFileSync(join(folder, "plugins.json"), "utf8")) as Record<string, string>;
    return all[plugin] ?? "";
  } catch {
    return "";
  }
}
