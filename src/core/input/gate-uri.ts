/** What the gate says of itself is under `toolgate:`; nobody else speaks there. */

import { quietly } from "../run/quietly.ts";

/** In every spelling that some reader takes for it: other letters, blanks, control characters, escapes. */
export function isGateUri(uri: string): boolean {
  const bare = uri.replace(ignoredInUris, "");
  // Not escaped, or not well: then the text itself is what a reader sees.
  const plain = quietly(() => decodeURIComponent(bare.slice(0, longestScheme))) ?? bare;
  return /^toolgate:/i.test(plain.normalize("NFKC").replace(ignoredInUris, ""));
}

const longestScheme = 200;
const ignoredInUris = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;
