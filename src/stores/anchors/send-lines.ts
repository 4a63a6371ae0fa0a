/** Anchors that somebody else keeps: the system's log, and a service that takes checkpoints by POST. */

import { safeFetch } from "../../safe/net/safe-fetch.ts";
import { runProcess } from "../../safe/process/spawn.ts";

const longestMs = 10_000;

export async function postLines(
  { url, allowPrivate = false }: { readonly url: string; readonly allowPrivate?: boolean },
  lines: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const answer = await safeFetch({
    url,
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: lines.map((line) => `${line}\n`).join(""),
    timeoutMs: longestMs,
    maxBytes: 64 * 1024,
    maxRedirects: 0,
    allowPrivate,
    signal,
  });
  if (!answer.ok) throw new Error(answer.message.replace(/\.$/, ""));
  if (answer.status < 200 || answer.status > 299) throw new Error(`it answers with status ${answer.status}`);
}

/** By its full name: whoever sets PATH must not choose who gets the checkpoints. */
const logger = "/usr/bin/logger";

export async function logLines(lines: readonly string[], signal: AbortSignal): Promise<void> {
  const end = await runProcess({
    command: logger,
    // Without the last option util-linux says that all went well where nobody listens.
    args: [
      "-t",
      "toolgate",
      "-p",
      "auth.notice",
      ...(process.platform === "linux" ? ["--socket-errors=on"] : []),
    ],
    cwd: "/",
    input: lines.map((line) => `${line}\n`).join(""),
    timeoutMs: longestMs,
    maxOutputBytes: 4_096,
    signal,
  });
  if (!end.started) throw new Error(end.message.replace(/\.$/, ""));
  const said = end.stderr.trim();
  // It says that nobody listens, and ends well all the same.
  if (end.exitCode !== 0 || said !== "")
    throw new Error(said.split("\n")[0] || `logger ended with ${end.exitCode}`);
}
