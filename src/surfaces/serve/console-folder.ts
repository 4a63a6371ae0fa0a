/** Where the console's files are: built into the package, beside `src` and beside `dist/lib` alike. */
import { fileURLToPath } from "node:url";

export function consoleFolder(): string {
  return fileURLToPath(new URL("../../../dist/console", import.meta.url));
}
