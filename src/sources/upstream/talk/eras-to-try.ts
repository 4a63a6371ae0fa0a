/** Which era of the protocol a server is asked in first, and by what the answer is remembered. */
import { createHash } from "node:crypto";
import type { Era } from "../../../mcp/eras.ts";
import type { UpstreamSettings } from "./connection.ts";

/** The second is only tried when the server says that it does not know the first. */
export function erasToTry(settings: UpstreamSettings, known: Era | undefined): readonly Era[] {
  const { era = "auto", transport } = settings;
  if (era !== "auto") return [era];
  const first = known ?? (transport.kind === "stdio" ? "legacy" : "modern");
  return first === "legacy" ? ["legacy", "modern"] : ["modern", "legacy"];
}

/** With other credentials it may be another server. */
export function eraKeyOf({ name, transport }: UpstreamSettings): string {
  return createHash("sha256")
    .update(JSON.stringify([name, transport]))
    .digest("base64url");
}
