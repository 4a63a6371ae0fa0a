// Builds the command line once more, as few files instead of a thousand: `toolgate mcp` is started by a client that waits for it.
// What a file finds beside itself (threads, programs, routes) it still finds in dist. `node scripts/build-cli.mjs`, at the end of `npm run build`.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { licences } from "./licences.mjs";

const project = fileURLToPath(new URL("..", import.meta.url));
const sources = join(project, "src");
const target = join(project, "dist", "cli");

rmSync(target, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: { start: join(sources, "surfaces/cli/start.ts") },
  outdir: target,
  bundle: true,
  splitting: true,
  metafile: true,
  format: "esm",
  platform: "node",
  target: "node22.18",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  // Found by their own files, or only there if somebody installed them.
  external: ["@opentelemetry/*", "@vscode/*"],
  // For packages that are CommonJS inside.
  banner: {
    js: 'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);',
  },
  plugins: [ownPlaces()],
  logLevel: "warning",
});
writeFileSync(join(target, "LICENSES.txt"), licences(project, Object.keys(metafile.inputs)));

/** Each of our files keeps the place that it has in dist, whatever bundle it is in. */
function ownPlaces() {
  return {
    name: "own-places",
    setup(building) {
      building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const place = `../${relative(sources, path).replace(/\.ts$/, ".js")}`;
        const contents = readFileSync(path, "utf8").replaceAll(
          "import.meta.url",
          `new URL(${JSON.stringify(place)}, import.meta.url).href`,
        );
        return { contents, loader: "ts" };
      });
    },
  };
}
