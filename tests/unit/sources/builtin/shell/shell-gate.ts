/** A real gate with the shell tools over a real folder. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { createGate, type GateOptions } from "../../../../../src/index.ts";
import type { ShellOptions } from "../../../../../src/sources/builtin/shell/options.ts";
import { createShellTools } from "../../../../../src/sources/builtin/shell/shell-tools.ts";
import { rule } from "../../rule.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { callsOf } from "../calls.ts";

/** Everything, also what is not understood: these tests are about the tools. */
export const approveAll = rule("approve", "*", [["risk", "equals", ["read", "write", "execute", "opaque"]]]);

/** Also paths outside: what the tools themselves refuse shows only then. */
export const approvePaths = rule("approve", "*", [["path", "matches", "."]]);

export async function shellGate(
  options: ShellOptions | ((root: string) => ShellOptions) = {},
  gateOptions: GateOptions = {},
) {
  const base = temporaryFolder("shell");
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
  const calls = callsOf(gate, { sessionId: "s1" });
  return {
    root,
    outside,
    shell,
    gate,
    ...calls,
    /** The number that a command writes into the file `pid`, once it is there. */
    pid: async () => {
      const written = () => Number(existsSync(join(root, "pid")) && readFileSync(join(root, "pid"), "utf8"));
      await expect.poll(written).toBeGreaterThan(0);
      return written();
    },
    /** Starts a process and answers its id. */
    start: async (command: string, more?: object, context?: object) =>
      (await calls.data("shell.exec", { command, background: true, ...more }, context)).id as string,
  };
}
