// What the licences of bundled packages ask for.

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Their text, in full. `inputs`: the files of a bundle as esbuild names them. */
export function licences(project, inputs) {
  const folders = new Set(
    inputs
      .map((input) => /^(?:lazy-sibling:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1])
      .filter((folder) => folder !== undefined)
      .map((folder) => resolve(project, folder)),
  );
  const parts = [...folders].sort().map((folder) => {
    const { name, version: of, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), "utf8").trim();
    return `${name} ${of}\n\n${text}\n`;
  });
  return `The files in this folder hold code of these packages.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}
