/** The servers that moved behind the gate, in the user's configuration file, which only the user can read. */
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import type { FilePart } from "../../../../agents/set-up/file-part.ts";
import { addUpstream, removeUpstream } from "../../../../config/settings/edit-upstreams.ts";
import { isRecord, type JsonObject } from "../../../../core/input/json.ts";
import type { CliIo } from "../../terminal/io.ts";
import { type ConfigText, readUserConfig } from "../upstreams/save-config.ts";

export type Upstreams = Readonly<Record<string, JsonObject>>;

export interface UpstreamsPart extends FilePart {
  textWith(text: string): string;
}

export function upstreamsPart(upstreams: Upstreams, io: CliIo): UpstreamsPart {
  const textWith = (text: string) =>
    Object.entries(upstreams).reduce((next, [name, upstream]) => addUpstream(next, name, upstream), text);
  return {
    file: usersConfig(io).file,
    isPrivate: true,
    textWith,
    put: (text = "") => ({ ok: true, text: textWith(text), isEmpty: false }),
    take(text) {
      // One that the person has changed since is the person's.
      const names = Object.entries(upstreams).filter(([name, upstream]) => holdsSame(text, name, upstream));
      const next = names.reduce((rest, [name]) => removeUpstream(rest, name), text);
      return { ok: true, text: next, isEmpty: next.trim() === "" };
    },
    meaning: (text) => parse(text) as unknown,
    find: () => [],
  };
}

/** Throws for a file that cannot be used. */
export function usersConfig(io: CliIo): ConfigText {
  return readUserConfig({}, io);
}

/** Whether the configuration has this very server. */
export function holdsSame(text: string, name: string, upstream: JsonObject): boolean {
  const value: unknown = parse(text);
  const servers = isRecord(value) ? value.upstreams : undefined;
  return isRecord(servers) && isDeepStrictEqual(servers[name], upstream);
}
