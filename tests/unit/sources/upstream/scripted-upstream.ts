/** Connections to scripted servers, closed after each test. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";
import type { JsonObject } from "../../../../src/core/input/json.ts";
import {
  connectUpstream,
  type UpstreamConnection,
} from "../../../../src/sources/upstream/talk/connect-upstream.ts";
import type { UpstreamPorts, UpstreamSettings } from "../../../../src/sources/upstream/talk/connection.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const script = join(dirname(fileURLToPath(import.meta.url)), "scripted-server.mjs");
const opened: UpstreamConnection[] = [];

export const client = { name: "toolgate", version: "0.0.0" };

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

/** The answer of a tool that answers in JSON. */
export async function told(...given: Parameters<typeof call>) {
  return JSON.parse(await call(...given));
}

/** `code message` of a call that fails. */
export async function why(...given: Parameters<typeof call>): Promise<string> {
  const error = await call(...given).then(
    (text) => new Error(`It should have failed: ${text}`),
    (reason: Error & { readonly code?: string }) => reason,
  );
  return `${"code" in error ? error.code : "no code"} ${error.message}`;
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
