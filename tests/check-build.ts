/** Tests of the command line, the hook and the console start what `npm run build` has made. It has to be there; an old one is said. */
import { existsSync, globSync, statSync } from "node:fs";

const built = ["dist/cli.js", "dist/hook/hook.cjs", "dist/console/index.html"];

export function setup(): void {
  const missing = built.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`${missing.join(", ")}: not built. Run npm run build first.`);
  const oldest = Math.min(...built.map(changedAt));
  const newer = globSync(["src/**/*.ts", "console/src/**/*"]).find((file) => changedAt(file) > oldest);
  if (newer !== undefined)
    console.warn(`dist/ is older than ${newer}: tests of dist/ try the old one. Run npm run build.`);
}

function changedAt(file: string): number {
  return statSync(file).mtimeMs;
}
