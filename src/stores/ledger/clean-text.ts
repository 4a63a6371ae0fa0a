/** Values as canonical JSON with their secrets taken out, as they stand in the rows of the ledger. */
import { canonicalJson, isShortCanonical } from "../../core/input/canonical-json.ts";
import type { Json, JsonObject } from "../../core/input/json.ts";
import { isPlainId } from "../../safe/redact/plain-id.ts";
import { type Redactor, redactorByLook } from "../../safe/redact/redact.ts";
import { shorten } from "../../safe/redact/shorten.ts";

export type RowRedactor = Pick<Redactor, "redact" | "isClean">;

export interface Cleaner {
  clean(value: Json): string;
  /** For the same few names again and again. */
  cleanName(name: Json | undefined): CleanName;
  /** For ids that are new with each call: those of the forms that agents give them are not looked at. */
  cleanId(id: Json | undefined): string;
}

export interface CleanName {
  /** Empty if there is none. */
  readonly json: string;
  readonly value: string | null;
}

const maxKnownNames = 1_000;
/** What is longer is not looked at twice. */
const shortText = 4_000;
/** Less than this in all is stored whole. */
const longFacts = 8_192;

export function createCleaner({ redact, isClean }: RowRedactor = redactorByLook): Cleaner {
  const knownNames = new Map<string, CleanName>();
  /** As `canonicalJson` writes it, not looked at for secrets. Undefined: it is long. */
  const shortJson = (value: Json): string | undefined => {
    if (isShortCanonical(value, { left: shortText })) return JSON.stringify(value);
    return isLong(value, { left: shortText }) ? undefined : canonicalJson(value);
  };
  const clean = (value: Json): string => {
    const text = shortJson(value);
    return text !== undefined && isClean(text) ? text : canonicalJson(redact(shortened(value)).value);
  };
  return {
    clean,
    cleanName(name) {
      if (typeof name !== "string") return { json: name === undefined ? "" : clean(name), value: null };
      const known = knownNames.get(name);
      if (known !== undefined) return known;
      if (knownNames.size >= maxKnownNames) knownNames.clear();
      const json = clean(name);
      const made = { json, value: String(JSON.parse(json)) };
      knownNames.set(name, made);
      return made;
    },
    cleanId(id) {
      if (id === undefined) return "";
      return typeof id === "string" && isPlainId(id) ? `"${id}"` : clean(id);
    },
  };
}

/** Before redacting, which takes time by length; a secret at the cut goes as a whole. */
function shortened(value: Json): Json {
  if (typeof value === "string") return value.length > longFacts ? shorten(value) : value;
  if (typeof value !== "object" || value === null) return value;
  return isLong(value, { left: longFacts }) ? shorten(value) : value;
}

/** Holds more text than there is room for? */
export function isLong(value: Json, room: { left: number }): boolean {
  if (typeof value === "string") room.left -= value.length;
  else if (typeof value === "object" && value !== null) {
    const members = Array.isArray(value) ? value : Object.values(value as JsonObject);
    for (const member of members) if (isLong(member as Json, room)) return true;
  }
  return room.left < 0;
}
