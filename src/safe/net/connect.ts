/** Connects only to a checked address: the name is resolved once, judged, and that answer is dialled. */
import { lookup as dnsLookup } from "node:dns/promises";
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { onAbort } from "../../core/run/abort.ts";
import { portOf } from "./check-url.ts";
import { canonicalAddress, isOwnNetwork, type JudgeAddress } from "./public-address.ts";
import { type FetchRefusal, refuse } from "./refusal.ts";

export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** `true`, or the exact `host:port` pairs (as the URL names them) that may lie in one's own network. */
export type AllowPrivate = boolean | readonly string[];

export type Admitted = { readonly ok: true; readonly addresses: readonly string[] } | FetchRefusal;

/** The addresses of the URL's host, all permitted; one bad address among good ones refuses the host. */
export async function admit(
  url: URL,
  allowPrivate: AllowPrivate,
  resolve: Resolve,
  judge: JudgeAddress,
): Promise<Admitted> {
  const host = bareHost(url);
  const isLiteral = isIP(host) !== 0;
  const addresses = isLiteral ? [host] : (await resolve(host)).slice(0, maxAddresses + 1);
  if (addresses.length === 0) {
    return refuse("network_error", `The host ${url.hostname} has no address.`, "Check the host name.");
  }
  if (addresses.length > maxAddresses) {
    return refuse(
      "network_error",
      `The host ${url.hostname} has too many addresses.`,
      "Use another host name.",
    );
  }
  const listed = isListed(url, allowPrivate);
  for (const address of addresses) {
    const verdict = judge(address);
    if (verdict.ok) continue;
    // A name never opens link-local: whoever controls its DNS could point it at the cloud's metadata service.
    if (listed && (isOwnNetwork(address) || (isLiteral && allowPrivate !== true))) continue;
    return notPublic(url, verdict.range);
  }
  return { ok: true, addresses };
}

export type Dial = (target: DialTarget) => Promise<Socket>;

export interface DialTarget {
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly signal: AbortSignal;
  /** Certificate authorities instead of the built-in ones. */
  readonly ca?: string | undefined;
}

/** Connected, verified, and for https encrypted, before one byte of the request is written. */
export const dial: Dial = async ({ url, addresses, signal, ca }) => {
  const socket = connectTcp({
    host: bareHost(url),
    port: portOf(url),
    // Node may race the addresses (happy eyeballs), but it only ever sees those that were checked.
    lookup: lookupIn(addresses),
    autoSelectFamily: true,
    signal,
  });
  await event(socket, "connect");
  const remote = canonicalAddress(socket.remoteAddress ?? "");
  if (!addresses.some((address) => canonicalAddress(address) === remote)) {
    socket.destroy();
    throw new UncheckedAddress(url.hostname);
  }
  if (url.protocol === "http:") return socket;

  const name = bareHost(url).replace(/\.$/, "");
  const secure = connectTls({
    socket,
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ...(ca === undefined ? {} : { ca }),
    ALPNProtocols: ["http/1.1"],
    // Said aloud because NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would switch it off.
    rejectUnauthorized: true,
  });
  const stopListening = onAbort(signal, () => secure.destroy());
  await event(secure, "secureConnect").finally(stopListening);
  return secure;
};

/** The socket ended up somewhere else than where it was sent. */
export class UncheckedAddress extends Error {
  constructor(hostname: string) {
    super(`The connection to ${hostname} reached an address that was not checked.`);
  }
}

export const systemResolve: Resolve = async (hostname) => {
  const found = await dnsLookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

/** The address itself is left out: it would tell a stranger what the inner network looks like. */
export function notPublic(url: URL, range: string): FetchRefusal {
  return refuse(
    "blocked_address",
    `The host ${url.hostname} is not on the public internet (${range}).`,
    `If it is meant to be reached, list ${url.hostname}:${portOf(url)} as an allowed private host.`,
  );
}

/** The host without the brackets of an IPv6 literal. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

const maxAddresses = 64;

function isListed(url: URL, allowPrivate: AllowPrivate): boolean {
  if (typeof allowPrivate === "boolean") return allowPrivate;
  const asked = `${url.hostname}:${portOf(url)}`;
  return allowPrivate.some((entry) => entry.toLowerCase() === asked);
}

function lookupIn(addresses: readonly string[]): LookupFunction {
  const list = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    const first = list[0];
    if (options.all === true) callback(null, list);
    else if (first !== undefined) callback(null, first.address, first.family);
  };
}

function event(socket: Socket, name: "connect" | "secureConnect"): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error): void => {
      socket.off(name, onReady).off("error", done).off("close", onClose);
      if (error === undefined) {
        resolve();
        return;
      }
      socket.on("error", () => {});
      socket.destroy();
      reject(error);
    };
    const onReady = (): void => done();
    const onClose = (): void => done(new Error("closed"));
    socket.once(name, onReady).once("error", done).once("close", onClose);
  });
}
