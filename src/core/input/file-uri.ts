/** Files that are named as URIs. */
import { fileURLToPath } from "node:url";
import { quietly } from "../run/quietly.ts";

/** Also one that only others can read: readers of URLs drop spaces before, and breaks and tabs within. */
export function isFileUri(text: string): boolean {
  // Nearly all begin with a letter that says no. To compile the pattern takes a short process a while.
  return !beginsOtherwise(text) && /^[\s\p{Cc}]*f\s*i\s*l\s*e\s*:/iu.test(text);
}

/** With a visible letter of ASCII that is no F. */
function beginsOtherwise(text: string): boolean {
  const first = text.charCodeAt(0);
  return first > 0x20 && first < 0x7f && (first | 0x20) !== 0x66;
}

/** Undefined: it names no file, or which one depends on who reads it. */
export function fileNamedBy(uri: string): string | undefined {
  const address = URL.parse(uri);
  if (address?.protocol !== "file:" || address.host !== "" || /[?#]/.test(uri)) return undefined;
  const path = quietly(() => fileURLToPath(address));
  // Names with spaces or umlauts are often given as they are: decoded or not, they name the same file.
  return uri === address.href || uri === `file://${path}` ? path : undefined;
}
