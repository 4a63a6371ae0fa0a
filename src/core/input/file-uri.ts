/** Files that are named as URIs. */
import { fileURLToPath } from "node:url";
import { quietly } from "../run/quietly.ts";

/** Also one that only others can read: readers of URLs drop spaces before, and breaks and tabs within. */
export function isFileUri(text: string): boolean {
  return /^[\s\p{Cc}]*f\s*i\s*l\s*e\s*:/iu.test(text);
}

/** Undefined: it names no file, or which one depends on who reads it. */
export function fileNamedBy(uri: string): string | undefined {
  const address = URL.parse(uri);
  if (address?.protocol !== "file:" || address.host !== "" || /[?#]/.test(uri)) return undefined;
  const path = quietly(() => fileURLToPath(address));
  // Names with spaces or umlauts are often given as they are: decoded or not, they name the same file.
  return uri === address.href || uri === `file://${path}` ? path : undefined;
}
