/** A real `toolgate serve` in a workbench, on a port of its own, killed when the test ends. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { root, type Workbench, type WorkbenchOptions } from "./workbench.ts";

export interface Served {
  readonly url: string;
  /** The owner's. */
  readonly token: string;
  ask(path: string, body?: object): Promise<Record<string, unknown>>;
  kill(): Promise<void>;
}

export async function serve(
  bench: Workbench,
  {
    cwd = bench.home,
    onEnd = onTestFinished,
  }: { readonly cwd?: string; readonly onEnd?: WorkbenchOptions["onEnd"] } = {},
): Promise<Served> {
  const child = spawn(process.execPath, [join(root, "dist/cli.js"), "serve", "--port", "0", "--json"], {
    cwd,
    env: bench.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = () =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once("exit", () => resolve());
      child.kill("SIGKILL");
    });
  onEnd(kill);
  const said = await new Promise<string>((resolve) =>
    child.stdout.once("data", (text) => resolve(String(text))),
  );
  const { url } = JSON.parse(said) as { readonly url: string };
  const token = bench.read(".local/state/toolgate/token").trim();
  const ask = async (path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  return { url, token, ask, kill };
}
