/** What a server was given in confidence, and may print: it is taken out of its last words. */
import type { UpstreamSettings } from "./talk/connection.ts";

export function secretsOf({ transport }: UpstreamSettings): string[] {
  if (transport.kind === "stdio") {
    const passed = (transport.envPass ?? []).map((name) => process.env[name] ?? "");
    return [...Object.values(transport.env ?? {}), ...passed];
  }
  const headers = Object.values(transport.headers ?? {});
  // `Bearer x`: the server may print the x alone.
  return [...headers, ...headers.flatMap((value) => value.split(" ")), transport.oauth?.clientSecret ?? ""];
}
