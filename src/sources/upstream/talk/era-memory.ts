/** Which era a server is asked in first: the one that it spoke before. A wrong guess costs a start. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Era } from "../../../mcp/eras.ts";
import { replacePrivateFile } from "../../../safe/files/private-file.ts";
import type { EraMemory, UpstreamSettings } from "./connection.ts";

/** A server that spoke the old form may have learned the new one. */
const legacyHoldsMs = 7 * 86_400_000;
const mostKept = 500;

interface Kept {
  readonly era: Era;
  readonly at: number;
}

/** What cannot be read or written is only asked again. */
export function createEraMemory(folder: string): EraMemory {
  const file = join(folder, "eras.json");
  return {
    get(key) {
      const kept = read(file).get(key);
      if (kept === undefined) return undefined;
      return kept.era === "legacy" && Date.now() - kept.at > legacyHoldsMs ? undefined : kept.era;
    },
    set(key, era) {
      const all = read(file);
      if (all.get(key)?.era === era && era === "modern") return;
      all.delete(key);
      all.set(key, { era, at: Date.now() });
      try {
        replacePrivateFile(file, `${JSON.stringify(Object.fromEntries([...all].slice(-mostKept)))}\n`);
      } catch {
        // A full disk must not keep a server from being used.
      }
    },
  };
}

function read(file: string): Map<string, Kept> {
  try {
    const all = Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, Kept>);
    return new Map(
      all.filter(([, { era, at }]) => ["legacy", "modern"].includes(era) && Number.isFinite(at)),
    );
  } catch {
    return new Map();
  }
}

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
