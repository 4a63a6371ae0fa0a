/** A real gate with tools of a plugin that exists only in the test, over a real folder. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { textOf } from "../../../../../src/core/call/content.ts";
import type { LedgerRecord } from "../../../../../src/core/ports/ports.ts";
import { createGate } from "../../../../../src/gate/create-gate.ts";
import type { Gate } from "../../../../../src/gate/gate.ts";
import type { GateOptions } from "../../../../../src/gate/gate-options.ts";
import type { Outcome } from "../../../../../src/index.ts";
import type { HandlerPlace } from "../../../../../src/sources/plugins/handlers/prepared-handler.ts";
import type { PluginToolDefinition } from "../../../../../src/sources/plugins/plugin-format.ts";
import { toolFromPlugin } from "../../../../../src/sources/plugins/tool-from-plugin.ts";
import { createMemoryLedger } from "../../../../../src/stores/memory/redacted-ledger.ts";
import { approveAll, approvePaths } from "../../builtin/shell/shell-gate.ts";

export interface PluginGate {
  readonly gate: Gate;
  /** The workspace. */
  readonly root: string;
  /** Where the plugin file lies. */
  readonly folder: string;
  call(tool: string, input: unknown, more?: object): Promise<Outcome>;
  /** A call that must succeed: its text. */
  text(tool: string, input: unknown, more?: object): Promise<string>;
  /** A call that must fail: message, code of the stop, code or status of what refused it. */
  failure(tool: string, input: unknown): Promise<{ code: string; message: string; inner: unknown }>;
  records(): readonly LedgerRecord[];
}

type Definition = Omit<PluginToolDefinition, "description">;

export async function pluginGate(
  definitions: readonly Definition[],
  more: Partial<HandlerPlace> = {},
  gateOptions: GateOptions = {},
): Promise<PluginGate> {
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
  const call = (tool: string, input: unknown, context: object = {}) =>
    gate.dispatch({ tool, input, ...context });
  return {
    gate,
    root,
    folder,
    call,
    text: async (tool, input, context) => {
      const outcome = await call(tool, input, context);
      if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
      return textOf(outcome.result);
    },
    failure: async (tool, input) => {
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
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-plugin-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
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
