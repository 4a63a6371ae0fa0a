/** Brings a notification to a program, or to a service. Rejects with what went wrong. */
import { homedir } from "node:os";
import type { NotifySettings } from "../../../config/settings/notify-settings.ts";
import { safeFetch } from "../../../safe/net/safe-fetch.ts";
import { runProcess } from "../../../safe/process/spawn.ts";
import type { Notification } from "./notification.ts";

const longestMs = 10_000;

export async function deliver(
  { command, webhook, allowPrivate = false }: NotifySettings,
  notification: Notification,
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify(notification);
  // Both, even if the first of them fails.
  const ends = await Promise.allSettled([
    ...(command === undefined ? [] : [run(command, body, signal)]),
    ...(webhook === undefined ? [] : [post(webhook, body, { allowPrivate, signal })]),
  ]);
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

async function run([command = "", ...args]: readonly string[], body: string, signal: AbortSignal) {
  const input = `${body}\n`;
  const end = await runProcess({
    command,
    args,
    cwd: homedir(),
    input,
    timeoutMs: longestMs,
    maxOutputBytes: 4_096,
    signal,
  });
  if (!end.started) throw new Error(`notify.command: ${end.message}`);
  if (end.timedOut) throw new Error(`notify.command: ${command} takes longer than ${longestMs / 1_000} s.`);
  if (end.exitCode !== 0)
    throw new Error(`notify.command: ${command} ended with ${end.exitCode ?? end.signal}.`);
}

async function post(
  url: string,
  body: string,
  { allowPrivate, signal }: { readonly allowPrivate: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const answer = await safeFetch({
    url,
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    timeoutMs: longestMs,
    maxBytes: 64 * 1024,
    maxRedirects: 0,
    allowPrivate,
    signal,
  });
  // Without the address: its path is often the only secret.
  if (!answer.ok) throw new Error(`notify.webhook: ${answer.message}`);
  if (answer.status < 200 || answer.status > 299)
    throw new Error(`notify.webhook: it answers with status ${answer.status}.`);
}
