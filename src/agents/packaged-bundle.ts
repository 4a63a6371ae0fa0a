/** Where the hook lies in this package, built or not. */
import { fileURLToPath } from "node:url";

export function packagedBundle(): string {
  return fileURLToPath(new URL("../../dist/hook/hook.cjs", import.meta.url));
}
