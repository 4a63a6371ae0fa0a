/** A folder of plugin files, and a gate that loads them; every read is counted. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createGate } from "../../../../src/index.ts";
import { readTextFile } from "../../../../src/safe/files/documents/read-text-file.ts";
import type { PluginGrade } from "../../../../src/sources/plugins/load-plugin-file.ts";
import { PluginSet, type PluginSetOptions } from "../../../../src/sources/plugins/plugin-set.ts";
import { add } from "../../../tools.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export type PluginWorld = Awaited<ReturnType<typeof createPluginWorld>>;

export async function createPluginWorld(
  options: Partial<PluginSetOptions> & { readonly grade?: () => PluginGrade } = {},
) {
  const base = temporaryFolder("plugins");
  const folder = join(base, "tools");
  mkdirSync(folder);
  const gate = await createGate({
    tools: [add],
    roots: [base],
    approver: { name: "test", ask: () => ({ decision: "approve" }) },
  });
  const read: string[] = [];
  let told = 0;
  gate.events.on("tools-change", () => told++);
  const { grade = () => "trusted" as const, ...more } = options;
  const plugins = new PluginSet({
    host: gate.tools,
    env: {},
    folders: () => [{ path: folder, gradeOf: grade }],
    settleMs: 0,
    readFile: (file) => {
      read.push(file.slice(folder.length + 1));
      return readTextFile(file);
    },
    ...more,
  });
  onTestFinished(async () => {
    plugins.close();
    await gate.close();
  });
  return {
    folder,
    gate,
    plugins,
    /** The names of the files that were read since this was last asked. */
    reads: () => read.splice(0),
    /** How often listeners were told since this was last asked. */
    changes: () => {
      const count = told;
      told = 0;
      return count;
    },
    /** Names of the plugin tools in the gate. */
    names: () =>
      gate.tools
        .list()
        .filter(({ source }) => source.kind === "plugin")
        .map(({ id }) => id),
    write: (name: string, content: unknown) => {
      const file = join(folder, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, undefined, 2));
      return file;
    },
  };
}

/** A plugin with one tool that says a text. */
export function plugin(tool: string, says = tool, more: object = {}): object {
  return { name: `p-${tool}`, tools: [shellTool(tool, says, more)] };
}

export function shellTool(name: string, says = name, more: object = {}): object {
  return {
    name,
    description: `Says ${says}.`,
    inputSchema: { type: "object", properties: {} },
    handler: { type: "shell", command: `echo ${says}` },
    ...more,
  };
}

/** File systems count time in ticks; what changes within one looks unchanged. */
export function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
