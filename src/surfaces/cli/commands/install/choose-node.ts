/** Which node the hook's line names: one that is still there when a project is gone. */
import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { runProcess } from "../../../../safe/process/spawn.ts";

/** Node as a package lies in a project; then another one on the PATH is taken that is new enough for the hook. */
export async function chooseNode(execPath: string, path: string | undefined): Promise<string> {
  if (!isPackage(execPath)) return execPath;
  const name = process.platform === "win32" ? "node.exe" : "node";
  for (const folder of (path ?? "").split(delimiter).filter((one) => isAbsolute(one))) {
    const node = join(folder, name);
    if (isProgram(node) && (await majorOf(node)) >= oldestMajor) return node;
  }
  return execPath;
}

const oldestMajor = 18;

function isPackage(node: string): boolean {
  return /[\\/]node_modules[\\/]/.test(node);
}

function isProgram(node: string): boolean {
  try {
    accessSync(node, constants.X_OK);
    return !isPackage(realpathSync(node));
  } catch {
    return false;
  }
}

async function majorOf(node: string): Promise<number> {
  const end = await runProcess({ command: node, args: ["--version"], cwd: dirname(node), timeoutMs: 5_000 });
  return end.started ? Number(/^v(\d+)\./.exec(end.stdout)?.[1] ?? 0) : 0;
}
