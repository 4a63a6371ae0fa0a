/** Adds upstream servers to a configuration file, or removes them, and leaves the rest as it was written. */
import type { JsonObject } from "../../core/input/json.ts";
import { addEntry, hasEntry, removeEntry } from "../file/edit-entries.ts";

/** The new text of the file. `text` must be one that can be read. */
export function addUpstream(text: string, name: string, upstream: JsonObject): string {
  return addEntry(text, ["upstreams", name], upstream);
}

export function removeUpstream(text: string, name: string): string {
  return removeEntry(text, ["upstreams", name]);
}

export function hasUpstream(text: string, name: string): boolean {
  return hasEntry(text, ["upstreams", name]);
}
