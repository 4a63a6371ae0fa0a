/** A real gate with the shell tools over a real folder. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { textOf } from "../../../../../src/core/call/content.ts";
import { createGate } from "../../../../../src/gate/create-gate.ts";
import type { GateOptions } from "../../../../../src/gate/gate-options.ts";
import type { Outcome, Policy } from "../../../../../src/index.ts";
import type { ShellOptions } from "../../../../../src/sources/builtin/shell/options.ts";
import { createShellTools, type ShellTools } from "../../../../../src/sources/builtin/shell/shell-tools.ts";

/** Everything, also what is not understood: these tests are about the tools. */
export const approveAll: Policy = {
  name: "yes",
  tools: "*",
  action: "approve",
  conditions: [{ type: "risk", operator: "equals", value: ["read", "write", "execute", "opaque"] }],
};

/** Also paths outside: what the tools themselves refuse shows only then. */
export const approvePaths: Policy = {
  name: "every path",
  tools: "*",
  action: "approve",
  conditions: [{ type: "path", operator: "matches", value: "." }],
};

export interface ShellGate {
  readonly root: string;
  readonly outside: string;
  readonly shell: ShellTools;
  readonly gate: Awaited<ReturnType<typeof createGate>>;
  call(tool: string, input: unknown, context?: object): Promise<Outcome>;
  /** A call that must succeed: its text. */
  text(tool: string, input: unknown, context?: object): Promise<string>;
  /** A call that must succeed: its data. */
  data(tool: string, input: unknown, context?: object): Promise<Record<string, unknown>>;
  /** A call that must fail: the message and the code of what refused it. */
  failure(tool: string, input: unknown, context?: object): Promise<{ code: string; message: string }>;
  /** Starts a process and answers its id. */
  start(command: string, more?: object, context?: object): Promise<string>;
}

export async function shellGate(
  options: ShellOptions | ((root: string) => ShellOptions) = {},
  gateOptions: GateOptions = {},
): Promise<ShellGate> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-shell-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [root, outside] = [join(base, "root"), join(base, "outside")];
  for (const folder of [root, outside]) mkdirSync(folder);
  mkdirSync(join(root, "sub"));
  writeFileSync(join(outside, "secret.txt"), "top secret\n");
  symlinkSync(outside, join(root, "folder-out"));
  const shell = createShellTools(typeof options === "function" ? options(root) : options);
  onTestFinished(() => shell.close());
  const gate = await createGate({
    tools: shell.tools,
    roots: [root],
    enable: { enabledCategories: ["shell"] },
    policies: [approveAll],
    ...gateOptions,
  });
  onTestFinished(() => gate.close());
  const call = (tool: string, input: unknown, context: object = {}) =>
    gate.dispatch({ tool, input, sessionId: "s1", ...context });
  const success = async (tool: string, input: unknown, context?: object) => {
    const outcome = await call(tool, input, context);
    if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
    return outcome;
  };
  const data = async (tool: string, input: unknown, context?: object) =>
    (await success(tool, input, context)).value as Record<string, unknown>;
  return {
    root,
    outside,
    shell,
    gate,
    call,
    data,
    text: async (tool, input, context) => textOf((await success(tool, input, context)).result),
    failure: async (tool, input, context) => {
      const outcome = await call(tool, input, context);
      if (outcome.ok) throw new Error(`It should have failed: ${textOf(outcome.result)}`);
      const structured = outcome.result.structured as { code?: string } | undefined;
      return { code: structured?.code ?? outcome.error.code, message: outcome.error.message };
    },
    start: async (command, more, context) =>
      (await data("shell.exec", { command, background: true, ...more }, context)).id as string,
  };
}
