/** Puts policies into a configuration file in the place of earlier ones, and leaves the rest as it was written. */
import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { JsonObject } from "../../core/input/json.ts";
import { addEntry, removeEntry } from "./edit-entries.ts";
import { writeYaml } from "./write-yaml.ts";

/** `replaces`: which policies of the file these take the place of. `text` must be one that can be read. */
export function putPolicies(
  text: string,
  policies: Readonly<Record<string, JsonObject>>,
  replaces: (name: string) => boolean,
): string {
  if (text.trim() === "") return Object.keys(policies).length === 0 ? text : newFile(policies);
  if (isSeq(parseDocument(text).get("policies"))) return putInList(text, policies, replaces);
  const names = namesIn(text).filter((name) => replaces(name) || Object.hasOwn(policies, name));
  const without = names.reduce((rest, name) => removeEntry(rest, ["policies", name]), text);
  return Object.entries(policies).reduce(
    (rest, [name, policy]) => addEntry(rest, ["policies", name], policy),
    without,
  );
}

function newFile(policies: Readonly<Record<string, JsonObject>>): string {
  return writeYaml({ version: 1, policies: { ...policies } });
}

function namesIn(text: string): string[] {
  const section = parseDocument(text).get("policies");
  if (!isMap(section)) return [];
  return section.items.map(({ key }) => String(isScalar(key) ? key.value : key));
}

/** A list whose members have names. */
function putInList(
  text: string,
  policies: Readonly<Record<string, JsonObject>>,
  replaces: (name: string) => boolean,
): string {
  const document = parseDocument(text);
  const list = document.get("policies");
  if (!isSeq(list)) return text;
  const nameOf = (item: unknown) => (isMap(item) ? String(item.get("name")) : "");
  list.items = list.items.filter((item) => {
    const name = nameOf(item);
    return !replaces(name) && !Object.hasOwn(policies, name);
  });
  for (const [name, policy] of Object.entries(policies)) list.add(document.createNode({ name, ...policy }));
  return document.toString({ lineWidth: 0 });
}
