/** Where the running server says how it is reached; `served/hook-credentials.ts` writes it. */
import { readBytes } from "../code-cache.ts";

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly key: string;
}

/** Undefined: there is no server, or none that we may believe. */
export function readServerAddress(file: string): ServerAddress | undefined {
  const text = readBytes(file, true)?.toString("latin1") ?? "";
  const [, host = "", port, token = "", key = "", pid] = form.exec(text) ?? [];
  if (pid === undefined || !isAlive(Number(pid))) return undefined;
  return { host, port: Number(port), token, key };
}

const form =
  /^toolgate-hook 3 (127\.\d+\.\d+\.\d+|::1) (\d{1,5}) ([\w-]{40,100}) ([\w-]{40,100}) ([1-9]\d{0,9}) end\n$/;

/** One that has died without a word has left its port to whoever wants it. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
