/** A real gate with tools of a plugin that exists only in the test, over a real folder. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { textOf } from "../../../../../src/core/call/content.ts";
import { createGate, type GateOptions } from "../../../../../src/index.ts";
import type { HandlerPlace } from "../../../../../src/sources/plugins/handlers/prepared-handler.ts";
import type { PluginToolDefinition } from "../../../../../src/sources/plugins/plugin-format.ts";
import { toolFromPlugin } from "../../../../../src/sources/plugins/tool-from-plugin.ts";
import { createMemoryLedger } from "../../../../../src/stores/memory/redacted-ledger.ts";
import { callsOf } from "../../builtin/calls.ts";
import { approveAll, approvePaths } from "../../builtin/shell/shell-gate.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

export type PluginGate = Awaited<ReturnType<typeof pluginGate>>;

type Definition = Omit<PluginToolDefinition, "description">;

export async function pluginGate(
  definitions: readonly Definition[],
  more: Partial<HandlerPlace> = {},
  gateOptions: GateOptions = {},
) {
  const { root, folder } = pluginWorld();
  const tools = definitions.map((definition) => {
    const place = { ...placeIn(folder), ...more };
    const made = toolFromPlugin({ description: "A tool of a test.", ...definition }, place);
    if (!made.ok) throw new Error(made.problems.map(({ message }) => message).join("\n"));
    return made.tool;
  });
  const ledger = createMemoryLedger();
  const gate = await createGate({
    tools,
    roots: [root],
    policies: [approveAll, approvePaths],
    ledger,
    ...gateOptions,
  });
  onTestFinished(() => gate.close());
  const { call, text, data, say } = callsOf(gate);
  return {
    gate,
    root,
    folder,
    call,
    text,
    data,
    say,
    /** A call that must fail: message, code of the stop, code or status of what refused it. */
    failure: async (tool: string, input: unknown) => {
      const outcome = await call(tool, input);
      if (outcome.ok) throw new Error(`It should have failed: ${textOf(outcome.result)}`);
      const { code, message } = outcome.error;
      const { code: inner, status } = (outcome.result.structured ?? {}) as { code?: string; status?: number };
      return { code, message, inner: status ?? inner };
    },
    records: () => ledger.records(),
  };
}

/** A workspace with two small files, and the folder of a plugin beside it. */
export function pluginWorld(): { root: string; folder: string; base: string } {
  const base = temporaryFolder("plugin");
  const [root, folder] = [join(base, "workspace"), join(base, "plugins")];
  mkdirSync(join(root, "src"), { recursive: true });
  mkdirSync(folder);
  writeFileSync(join(root, "src", "a.txt"), "one\ntwo needle\n");
  writeFileSync(join(root, "b.txt"), "three\n");
  return { root, folder, base };
}

export function placeIn(folder: string): HandlerPlace {
  return { file: join(folder, "p.json"), folder, trusted: true, allowPrivate: false, env: {} };
}

/** An object schema of texts; those that end in ? may be left out. */
export function texts(...names: string[]): PluginToolDefinition["inputSchema"] {
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name.replace("?", ""), { type: "string" }])),
    required: names.filter((name) => !name.endsWith("?")),
    additionalProperties: false,
  };
}
