/** A real gate with the editing tools over a real workspace in a temporary folder. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { createGate, type GateOptions } from "../../../../../src/index.ts";
import { createEditingTools } from "../../../../../src/sources/builtin/editing/editing-tools.ts";
import type { EditingPorts } from "../../../../../src/sources/builtin/editing/ports.ts";
import { rule } from "../../rule.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { callsOf } from "../calls.ts";

export type EditingGate = Awaited<ReturnType<typeof editingGate>>;

export async function editingGate(
  files: Readonly<Record<string, string | Buffer>> = {},
  options: { readonly ports?: Partial<EditingPorts>; readonly gate?: GateOptions } = {},
) {
  const base = temporaryFolder("edit");
  const [root, outside, stateFolder] = [join(base, "root"), join(base, "outside"), join(base, "state")];
  for (const folder of [root, outside]) mkdirSync(folder);
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const { tools, recovered } = createEditingTools({ stateFolder, durable: false, ...options.ports });
  await recovered;
  const gate = await createGate({
    tools,
    roots: [root],
    enable: { enabledCategories: ["editing"] },
    policies: [rule("approve", "*")],
    ...options.gate,
  });
  onTestFinished(() => gate.close());
  const { failure, ...calls } = callsOf(gate, { cwd: root });
  return {
    root,
    outside,
    stateFolder,
    gate,
    write,
    ...calls,
    /** The message of a call that must fail. */
    refusal: async (...given: Parameters<typeof failure>) => (await failure(...given)).message,
    read: (path: string) => readFileSync(join(root, path), "utf8"),
    exists: (path: string) => statSync(join(root, path), { throwIfNoEntry: false }) !== undefined,
  };
}

/** What one call makes of `a.txt`. */
export async function makes(content: string | Buffer, tool: string, input: object): Promise<string> {
  const gate = await editingGate({ "a.txt": content });
  await gate.text(tool, input);
  return gate.read("a.txt");
}

/** Why one call is refused, which leaves the folder as it was. */
export async function refuses(content: string | Buffer, tool: string, input: object): Promise<string> {
  const gate = await editingGate({ "a.txt": content });
  const message = await gate.refusal(tool, input);
  expect([gate.read("a.txt"), readdirSync(gate.root)]).toEqual([content.toString(), ["a.txt"]]);
  return message;
}
