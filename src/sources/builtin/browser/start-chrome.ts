/** Starts one browser with a folder and a proxy of its own; all three end together. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserType, ConnectOverCDPTransport } from "playwright-core";
import { messageOf } from "../../../core/call/errors.ts";
import type { Failed } from "../../../core/call/tool-answer.ts";
import { onAbort } from "../../../core/run/abort.ts";
import { createForwardProxy, type ForwardProxyOptions } from "../../../safe/net/forward-proxy.ts";
import { type MessageProcess, startMessageProcess } from "../../../safe/process/message-process.ts";
import { chromeArguments } from "./chrome-arguments.ts";
import { createFloodGate } from "./flood-gate.ts";

export interface ChromeRequest {
  readonly chromium: BrowserType;
  readonly executable: string;
  readonly sandbox: boolean;
  readonly proxy: ForwardProxyOptions;
  readonly signal: AbortSignal;
}

export interface Chrome {
  readonly ok: true;
  readonly pid: number;
  readonly browser: Browser;
  /** Ends the process tree, closes the proxy, removes the folder. */
  close(): Promise<void>;
  /** When that is done, whoever began it. */
  readonly ended: Promise<void>;
}

/** A screenshot of a long page is some megabytes, as base64. */
const maxMessageBytes = 64 * 1024 * 1024;
const connectMs = 30_000;
const killGraceMs = 1_000;

export async function startChrome(request: ChromeRequest): Promise<Chrome | Failed> {
  const { executable, sandbox, signal } = request;
  if (sandbox && process.getuid?.() === 0) return { ok: false, code: "no_sandbox", message: asRoot };
  const profile = await mkdtemp(join(await realpath(tmpdir()), "toolgate-browser-"));
  const proxy = await createForwardProxy(request.proxy);
  const transport: ConnectOverCDPTransport = {
    send: (message) => running?.send(JSON.stringify(message)),
    close: () => void running?.kill(),
  };
  let running: MessageProcess | undefined;
  const judgeFlood = createFloodGate();
  const tidy = async () => {
    await proxy.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  const started = await startMessageProcess({
    command: executable,
    args: chromeArguments({ profile, proxyPort: proxy.port, sandbox }),
    cwd: profile,
    // What it writes for its user lands in its own folder, and what the user keeps is not seen.
    env: { HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile, TMPDIR: profile },
    killGraceMs,
    maxMessageBytes,
    onMessage: (text) => {
      const verdict = judgeFlood(text);
      if (verdict === "pass") transport.onmessage?.(JSON.parse(text) as object);
      else if (verdict === "end") void running?.kill();
    },
  });
  if (!started.started) {
    await tidy();
    return { ok: false, code: started.code, message: started.message };
  }
  running = started;
  const ended = started.ended.then(async () => {
    transport.onclose?.("The browser has ended.");
    await tidy();
  });
  const close = async () => {
    await started.kill();
    await ended;
  };
  const stopListening = onAbort(signal, () => void started.kill());
  try {
    const browser = await connect(request.chromium, transport, started);
    return { ok: true, pid: started.pid, browser, close, ended };
  } catch (error) {
    await close();
    if (signal.aborted) return { ok: false, code: "cancelled", message: "The call was cancelled." };
    return { ok: false, code: "start_failed", message: whyNot(error, started.complaints()) };
  } finally {
    stopListening();
  }
}

/** A browser that ends at once must not be waited for. */
function connect(
  chromium: BrowserType,
  transport: ConnectOverCDPTransport,
  running: MessageProcess,
): Promise<Browser> {
  const connecting = chromium.connectOverCDP(transport, { timeout: connectMs });
  connecting.catch(() => {});
  const gone = running.ended.then(() => Promise.reject(new Error("it ended at once")));
  gone.catch(() => {});
  return Promise.race([connecting, gone]);
}

const howWithout =
  "Have a person run toolgate as an ordinary user on a system where it works, or switch it off with `web: { browser: { sandbox: false } }` in the user's configuration.";
const asRoot = `The browser's own sandbox, which keeps pages away from this machine, does not work for the superuser. ${howWithout}`;

function whyNot(error: unknown, complaints: string): string {
  if (
    /no usable sandbox|running as root without --no-sandbox|sandbox.*not (?:supported|configured)/i.test(
      complaints,
    )
  )
    return `The browser's own sandbox does not work here. ${howWithout}`;
  const last = complaints.trim().split("\n").at(-1) ?? "";
  return `The browser could not be started: ${messageOf(error)}${last === "" ? "" : ` (${last.slice(0, 300)})`}. Name another one by CHROME_PATH.`;
}
