/**
 * How the hook's script finds the server and how both know each other: a file with one line in the state
 * folder, made anew at every start. The token says that the script may ask. The key says that the server
 * wrote the file; it is told only to who has the token. Whoever listens on the port after the server's death
 * learns the token, which is worth nothing by then, and gets no call. The process id lets the script see that
 * death before it connects.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { explainForeign } from "../../../config/rule-cache/own-files.ts";
import type { TokenRecord } from "../../../core/ports/tokens.ts";
import { replacePrivateFile } from "../../../safe/files/private-file.ts";
import { hashToken, makeToken } from "../../http/tokens/give-token.ts";
import { hookAddressFile } from "../process/find-place.ts";

export interface HookCredentials {
  /** The token, for those who check tokens. Its holder is the same `local` as in a hook process. */
  readonly record: TokenRecord;
  readonly file: string;
  /** What the server answers with. */
  readonly key: string;
  /** What the script is told before it sends its call; nobody else may see it. */
  proofFor(nonce: string): string;
  /** From now on the script asks here. False: a script on this machine could not reach it without TLS. */
  announce(url: string): boolean;
  withdraw(): void;
  /** Is this the token of the file? */
  isOwnToken(token: string): boolean;
  /** Undefined: only its owner can have read the file. Otherwise it is gone now, and the token with it. */
  whyUnsafe(): string | undefined;
}

export function createHookCredentials(stateFolder: string, now: Date = new Date()): HookCredentials {
  const file = hookAddressFile(stateFolder);
  const token = makeToken();
  const key = randomBytes(32).toString("base64url");
  const sha256 = hashToken(token);
  const expected = Buffer.from(sha256, "hex");
  let inode: number | undefined;
  let unsafe: string | undefined;
  const withdraw = () => {
    // Another server may have written its own since.
    if (inode !== undefined && statSync(file, { throwIfNoEntry: false })?.ino === inode)
      rmSync(file, { force: true });
    inode = undefined;
  };
  return {
    record: {
      name: "local",
      rights: ["call"],
      capabilities: ["*"],
      sha256,
      createdAt: now.toISOString(),
    },
    file,
    key,
    announce(url) {
      const address = addressOf(url);
      if (address === undefined) return false;
      replacePrivateFile(
        file,
        `${[form, address.host, address.port, token, key, process.pid, "end"].join(" ")}\n`,
      );
      inode = statSync(file).ino;
      return true;
    },
    withdraw,
    isOwnToken: (given) => timingSafeEqual(Buffer.from(hashToken(given), "hex"), expected),
    proofFor: (nonce) => `Toolgate-Proof: ${key} ${nonce}`,
    whyUnsafe() {
      if (unsafe !== undefined) return unsafe;
      const why = explainExposed(file, inode);
      if (why === undefined) return undefined;
      unsafe = `${file} ${why}; its token is no longer taken, and hooks start a process for each call until the server is started again.`;
      withdraw();
      return unsafe;
    },
  };
}

/** Whose number rises with every change of what the script is told, there or in an answer. */
const form = "toolgate-hook 3";

function addressOf(url: string): { readonly host: string; readonly port: string } | undefined {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (protocol !== "http:") return undefined;
  if (host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host)) return { host, port };
  return host === "localhost" || host === "0.0.0.0" || host === "::"
    ? { host: "127.0.0.1", port }
    : undefined;
}

function explainExposed(file: string, inode: number | undefined): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined || stat.ino !== inode) return "is not the file that this server wrote";
  return explainForeign(stat) ?? ((stat.mode & 0o077) === 0 ? undefined : "can be read by others");
}
