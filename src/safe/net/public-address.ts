/** Says whether anybody on the internet could reach an IP address; other ranges are refused by name. */
import ipaddr from "ipaddr.js";

export type AddressVerdict =
  | { readonly ok: true; readonly canonical: string }
  | { readonly ok: false; readonly canonical: string; readonly range: string };

export type JudgeAddress = (address: string) => AddressVerdict;

/** Allow-semantics: only what is known to be public passes, so a range nobody thought of stays closed. */
export function judgeAddress(address: string): AddressVerdict {
  const parsed = parse(address);
  if (parsed === undefined) return { ok: false, canonical: address, range: "not an address" };
  const canonical = parsed.toString();
  const range = rangeOf(parsed);
  return range === "unicast" ? { ok: true, canonical } : { ok: false, canonical, range };
}

export function areAllPublic(addresses: readonly string[]): boolean {
  return addresses.every((address) => judgeAddress(address).ok);
}

/** Ranges that `allowPrivate` may open: machines of one's own network, never link-local ones. */
export function isOwnNetwork(address: string): boolean {
  const parsed = parse(address);
  if (parsed === undefined) return false;
  const inner = parsed.kind() === "ipv6" ? mappedIpv4(parsed as ipaddr.IPv6) : undefined;
  return ownNetwork.has((inner ?? parsed).range());
}

/** One spelling for one destination: `::ffff:127.0.0.1` and `127.0.0.1` reach the same socket. */
export function canonicalAddress(address: string): string {
  const parsed = parse(address);
  if (parsed === undefined) return address;
  const inner = parsed.kind() === "ipv6" ? mappedIpv4(parsed as ipaddr.IPv6) : undefined;
  return (inner ?? parsed).toString();
}

const ownNetwork = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat"]);
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
/**
 * A public-looking address that answers with the credentials of the virtual machine (Azure's host endpoint).
 */
const platformAddresses = new Set(["168.63.129.16"]);

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // Strict dotted decimal: the parser also reads 0177.1 and 127.1, which resolvers never answer with.
  if (/^\d+\.\d+\.\d+\.\d+$/.test(address)) {
    return ipaddr.IPv4.isValidFourPartDecimal(address) ? ipaddr.IPv4.parse(address) : undefined;
  }
  return address.includes(":") && ipaddr.IPv6.isValid(address) ? ipaddr.IPv6.parse(address) : undefined;
}

function rangeOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const range: string = address.range();
  if (range !== "unicast") return range;
  if (address.kind() === "ipv4") {
    return platformAddresses.has(address.toString()) ? "platform service" : "unicast";
  }
  const v6 = address as ipaddr.IPv6;
  if (v6.zoneId) return "zone";
  // `::127.0.0.1` and all that was never given out lie outside 2000::/3, where the table says nothing.
  if (!v6.match(globalUnicast)) return "unassigned";
  // ISATAP hides an IPv4 address in its second half and a router may unwrap it.
  if ((v6.parts[4] === 0 || v6.parts[4] === 0x200) && v6.parts[5] === 0x5efe) return "isatap";
  return "unicast";
}

function mappedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : undefined;
}
