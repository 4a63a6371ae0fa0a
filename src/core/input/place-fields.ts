/** Fields that hold a file's path or an address, told by the words in their names: `outputPath`. */

import { wordSet } from "../text/words.ts";
import { longestName, wordsInName } from "./field-words.ts";

const shortNames = wordSet("src dst dest");

/** The last word says what the value is: `repo_path`, `TargetFile`, `rootDir`. */
const ofFiles = wordSet(
  "path paths pathname filepath filepaths filename filenames file files dir dirs basedir workdir cwd directory directories folder folders",
);
const ofAddresses = wordSet("url urls uri uris href");

/** `jsonPath`, `class_path`, `route_path`, `max_files`: a place in something else, or a word about files. */
const elsewhere = wordSet(
  "json xml css class dom svg url uri http https api route router request response query object key field property selector menu nav category max min num count is has",
);

export function isPathField(name: string): boolean {
  // Variables of an environment: `PATH`, `LD_LIBRARY_PATH`.
  if (!mayHoldPath.test(name) || name.length > longestName || /^[A-Z_]*(?:PATH|DIR)$/.test(name))
    return false;
  const parts = wordsInName(name);
  const last = parts.at(-1) ?? "";
  if (parts.length === 1 && shortNames.has(last)) return true;
  const isFileName = /^names?$/.test(last) && /^(?:file|path|dir|directory|folder)$/.test(parts.at(-2) ?? "");
  return (isFileName || ofFiles.has(last)) && !parts.some((word) => elsewhere.has(word));
}

export function isUrlField(name: string): boolean {
  return (
    name.length <= longestName && mayHoldUrl.test(name) && ofAddresses.has(wordsInName(name).at(-1) ?? "")
  );
}

/** Only what may hold one of the words is cut into words. */
const mayHoldPath = /path|file|dir|folder|cwd|^src$|^dst$|^dest$/i;
const mayHoldUrl = /ur[li]|href/i;
