/**
 * Refuses a URL whose host is plainly not on the public internet, before anybody is asked about the call.
 * Other names are judged when they are resolved.
 */
import { isIP } from "node:net";
import { bareHost, notPublic } from "./connect.ts";
import { isOwnNetwork, type JudgeAddress, judgeAddress } from "./public-address.ts";
import type { FetchRefusal } from "./refusal.ts";

export function refuseKnownAddress(
  url: URL,
  allowPrivate: boolean,
  judge: JudgeAddress = judgeAddress,
): FetchRefusal | undefined {
  const host = bareHost(url);
  const address = isIP(host) !== 0 ? host : isThisMachine(host) ? "127.0.0.1" : undefined;
  if (address === undefined) return undefined;
  const verdict = judge(address);
  if (verdict.ok || (allowPrivate && isOwnNetwork(address))) return undefined;
  return notPublic(url, verdict.range);
}

/** By RFC 6761 these names lead nowhere else. */
function isThisMachine(host: string): boolean {
  return /^(?:.*\.)?localhost\.?$/i.test(host);
}
