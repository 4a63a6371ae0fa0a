/** A real gate with a tool that reads, over a real workspace in a temporary folder. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type AnyTool, createGate, type GateOptions } from "../../../../src/index.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { callsOf } from "./calls.ts";

export type ReadingGate = Awaited<ReturnType<typeof readingGate>>;

export async function readingGate(
  tool: AnyTool,
  files: Readonly<Record<string, string | Buffer>> = {},
  options: GateOptions = {},
) {
  const base = temporaryFolder("read");
  const [root, outside] = [join(base, "root"), join(base, "outside")];
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
  const { call, text, data, failure, code } = callsOf(gate);
  return {
    root,
    outside,
    gate,
    write,
    call: (input: unknown, context?: object) => call(tool.id, input, context),
    text: (input: unknown) => text(tool.id, input),
    data: (input: unknown) => data(tool.id, input),
    failure: (input: unknown, context?: object) => failure(tool.id, input, context),
    code: (input: unknown, context?: object) => code(tool.id, input, context),
  };
}
