/** A real gate with the editing tools over a real workspace in a temporary folder. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { textOf } from "../../../../../src/core/call/content.ts";
import { createGate } from "../../../../../src/gate/create-gate.ts";
import type { GateOptions } from "../../../../../src/gate/gate-options.ts";
import type { Outcome, Policy } from "../../../../../src/index.ts";
import { createEditingTools } from "../../../../../src/sources/builtin/editing/editing-tools.ts";
import type { EditingPorts } from "../../../../../src/sources/builtin/editing/ports.ts";

const approveAll: Policy = { name: "yes", tools: "*", action: "approve" };

export interface EditingGate {
  readonly root: string;
  readonly outside: string;
  readonly stateFolder: string;
  call(tool: string, input: unknown, context?: object): Promise<Outcome>;
  /** Runs a call that must succeed; its text. */
  text(tool: string, input: unknown): Promise<string>;
  /** Runs a call that must fail; its message. */
  refusal(tool: string, input: unknown, context?: object): Promise<string>;
  write(path: string, content: string | Buffer): string;
  read(path: string): string;
  exists(path: string): boolean;
  readonly gate: Awaited<ReturnType<typeof createGate>>;
}

export async function editingGate(
  files: Readonly<Record<string, string | Buffer>> = {},
  options: { readonly ports?: Partial<EditingPorts>; readonly gate?: GateOptions } = {},
): Promise<EditingGate> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-edit-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [root, outside, stateFolder] = ["root", "outside", "state"].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [root, outside]) mkdirSync(folder);
  const write = (path: string, content: string | Buffer) => {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    return full;
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const { tools, recovered } = createEditingTools({ stateFolder, durable: false, ...options.ports });
  await recovered;
  const gate = await createGate({
    tools,
    roots: [root],
    enable: { enabledCategories: ["editing"] },
    policies: [approveAll],
    ...options.gate,
  });
  onTestFinished(() => gate.close());
  const call = (tool: string, input: unknown, context: object = {}) =>
    gate.dispatch({ tool, input, cwd: root, ...context });
  return {
    root,
    outside,
    stateFolder,
    gate,
    call,
    write,
    text: async (tool, input) => {
      const outcome = await call(tool, input);
      if (!outcome.ok) throw new Error(`refused: ${outcome.error.message}`);
      return textOf(outcome.result);
    },
    refusal: async (tool, input, context) => {
      const outcome = await call(tool, input, context);
      if (outcome.ok) throw new Error(`not refused: ${textOf(outcome.result)}`);
      return outcome.error.message;
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
    exists: (path) => statSync(join(root, path), { throwIfNoEntry: false }) !== undefined,
  };
}
