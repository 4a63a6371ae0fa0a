/** Connections to scripted servers, closed after each test. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import type { JsonObject } from "../../../../src/core/input/json.ts";
import {
  connectUpstream,
  type UpstreamConnection,
} from "../../../../src/sources/upstream/talk/connect-upstream.ts";
import type { UpstreamPorts, UpstreamSettings } from "../../../../src/sources/upstream/talk/connection.ts";

const script = join(dirname(fileURLToPath(import.meta.url)), "scripted-server.mjs");
const opened: UpstreamConnection[] = [];
const folders: string[] = [];

export const client = { name: "toolgate", version: "0.0.0" };

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "upstream-"));
  folders.push(folder);
  return folder;
}

export function scripted(
  flags: readonly string[] = [],
  settings: Partial<UpstreamSettings> & {
    readonly env?: Readonly<Record<string, string>>;
    readonly envPass?: string[];
  } = {},
  ports: Partial<UpstreamPorts> = {},
): UpstreamConnection {
  const { env, envPass, ...rest } = settings;
  return keep(
    connectUpstream(
      {
        name: "scripted",
        transport: {
          kind: "stdio",
          command: process.execPath,
          args: [script, ...flags.map((flag) => `--${flag}`)],
          cwd: temporaryFolder(),
          ...(env !== undefined && { env }),
          ...(envPass !== undefined && { envPass }),
        },
        timeoutMs: 10_000,
        ...rest,
      },
      { client, ...ports },
    ),
  );
}

export function keep(connection: UpstreamConnection): UpstreamConnection {
  opened.push(connection);
  return connection;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function textOf(result: JsonObject): string {
  const [first] = result.content as readonly { readonly text: string }[];
  return first?.text ?? "";
}

export async function call(
  connection: UpstreamConnection,
  name: string,
  args: JsonObject = {},
  options: Parameters<UpstreamConnection["callTool"]>[2] = {},
): Promise<string> {
  return textOf(await connection.callTool(name, args, options));
}

/** Pids of every start so far, of a server with the flag `log`. */
export function startsIn(log: string): number[] {
  try {
    return readFileSync(log, "utf8").trim().split("\n").map(Number);
  } catch {
    return [];
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie has ended; it only waits to be counted.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
