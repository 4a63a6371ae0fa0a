/** A real gate with reading tools over a real workspace in a temporary folder. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { textOf } from "../../../../src/core/call/content.ts";
import { createGate } from "../../../../src/gate/create-gate.ts";
import type { GateOptions } from "../../../../src/gate/gate-options.ts";
import type { AnyTool, Outcome } from "../../../../src/index.ts";

export interface ReadingGate {
  readonly root: string;
  readonly outside: string;
  readonly gate: Awaited<ReturnType<typeof createGate>>;
  call(input: unknown, context?: object): Promise<Outcome>;
  /** A call that must succeed: its text. */
  text(input: unknown): Promise<string>;
  /** A call that must succeed: its data. */
  data(input: unknown): Promise<Record<string, unknown>>;
  /** A call that must fail: the message and the code of what refused it. */
  failure(input: unknown, context?: object): Promise<{ code: string; message: string }>;
  write(path: string, content: string | Buffer): void;
}

export async function readingGate(
  tool: AnyTool,
  files: Readonly<Record<string, string | Buffer>> = {},
  options: GateOptions = {},
): Promise<ReadingGate> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-read-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "root");
  const outside = join(base, "outside");
  for (const folder of [root, outside]) mkdirSync(folder);
  writeFileSync(join(outside, "secret.txt"), "top secret\n");
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  symlinkSync(join(outside, "secret.txt"), join(root, "link-out.txt"));
  symlinkSync(outside, join(root, "folder-out"));
  const gate = await createGate({ tools: [tool], roots: [root], ...options });
  onTestFinished(() => gate.close());
  const call = (input: unknown, context: object = {}) => gate.dispatch({ tool: tool.id, input, ...context });
  const success = async (input: unknown) => {
    const outcome = await call(input);
    if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
    return outcome;
  };
  return {
    root,
    outside,
    gate,
    call,
    write,
    text: async (input) => textOf((await success(input)).result),
    data: async (input) => (await success(input)).value as Record<string, unknown>,
    failure: async (input, context) => {
      const outcome = await call(input, context);
      if (outcome.ok) throw new Error(`It should have failed: ${textOf(outcome.result)}`);
      const structured = outcome.result.structured as { code?: string } | undefined;
      return { code: structured?.code ?? outcome.error.code, message: outcome.error.message };
    },
  };
}
