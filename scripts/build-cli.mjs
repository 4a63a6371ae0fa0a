// Builds the command line once more, as few files instead of a thousand: `toolgate mcp` is started by a client that waits for it.
// What a file finds beside itself (threads, programs, routes) it still finds in dist. `node scripts/build-cli.mjs`, at the end of `npm run build`.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { parseConfigFile } from "../dist/config/file/parse-file.js";
import { readTextFile } from "../dist/safe/files/documents/read-text-file.js";
import { licences } from "./licences.mjs";

const project = fileURLToPath(new URL("..", import.meta.url));
const sources = join(project, "src");
const target = join(project, "dist", "cli");
/** What speaks to the network is loaded by every command, and most of them never do; nor do most servers have a certificate. */
const rarelyUsed = [join(sources, "safe/"), join(sources, "surfaces/http/serve-http.ts")];
/** The build fails where something else of them is imported there. */
const whenCalled = {
  "node:http": ["Agent", "createServer", "request", "validateHeaderName", "validateHeaderValue"],
  "node:tls": ["connect"],
  "node:zlib": ["createBrotliDecompress", "createGunzip", "createInflate", "createInflateRaw"],
  "node:dns/promises": ["lookup"],
  "node:https": ["createServer"],
};

/**
 * Imported by a hundred files each, as names: as objects they would be copied for each of those, two getters a name, 2 MB in all. Nothing in them costs
 * anything to read.
 */
const plain = new Set(["node:buffer", "node:crypto", "node:fs", "node:os", "node:path", "node:url"]);

rmSync(target, { recursive: true, force: true });
const shipped = readTextFile(join(project, "routes", "shipped.yaml"));
const parsed = parseConfigFile(shipped.text, "", "routes").file;
const { metafile } = await build({
  entryPoints: {
    start: join(sources, "surfaces/cli/start.ts"),
    "store-worker": join(sources, "stores/sqlite/worker.ts"),
  },
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
  // Its main file is made for every kind of loader, and asks for its parts in a way that no bundler sees.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  define: { TOOLGATE_SHIPPED: JSON.stringify({ sha256: shipped.sha256, parsed }) },
  plugins: [ownPlaces(), builtins()],
  logLevel: "warning",
});
refuseWideText(Object.keys(metafile.outputs));
// The thread is started from its place in dist, by the library, too.
writeFileSync(join(project, "dist/stores/sqlite/worker.js"), 'import "../../cli/store-worker.js";\n');
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

/** V8 keeps the text of a file as long as its code: with two bytes for each character, if a single one needs them. esbuild escapes all but those in patterns. */
function refuseWideText(files) {
  for (const file of files) {
    const [wide] = /[^\0-\xff]/.exec(readFileSync(join(project, file), "utf8")) ?? [];
    if (wide !== undefined) throw new Error(`${file} holds "${wide}": write it as an escape in its pattern.`);
  }
}

function callingOne(path, name) {
  const loaded = `process.getBuiltinModule(${JSON.stringify(path)}).${name}`;
  const isClass = /^[A-Z]/.test(name);
  return `export function ${name}(...given) { return ${isClass ? `new (${loaded})` : loaded}(...given); }\n`;
}

/** Without those that Node makes when they are read; the build fails where one of them is imported. */
function plainNamesOf(path) {
  const members = Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule(path)));
  return members.flatMap(([name, { get }]) =>
    get === undefined && /^[A-Za-z_]\w*$/.test(name) ? [name] : [],
  );
}

/**
 * Parts of Node as objects instead of by `import`, which reads every member of a part: one of `node:http` loads a whole HTTP client, 20 ms
 * and 13 MB that nobody needs.
 */
function builtins() {
  return {
    name: "builtins",
    setup(building) {
      building.onResolve({ filter: /^[\w:/]+$/ }, ({ path, kind, importer }) => {
        // `import()` gives names that only Node itself knows.
        if (kind === "dynamic-import") return undefined;
        const name = path.startsWith("node:") ? path : `node:${path}`;
        if (name in whenCalled && rarelyUsed.some((place) => importer.startsWith(place)))
          return { path: name, namespace: "when-called" };
        if (process.getBuiltinModule(name) === undefined) return undefined;
        return { path: name, namespace: kind === "import-statement" && plain.has(name) ? "plain" : "object" };
      });
      building.onLoad({ filter: /.*/, namespace: "plain" }, ({ path }) => ({
        contents: `const part = process.getBuiltinModule(${JSON.stringify(path)});
          export default part;
          export const { ${plainNamesOf(path)} } = part;`,
        loader: "js",
      }));
      building.onLoad({ filter: /.*/, namespace: "object" }, ({ path }) => ({
        contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
        loader: "js",
      }));
      building.onLoad({ filter: /.*/, namespace: "when-called" }, ({ path }) => ({
        contents: whenCalled[path].map((name) => callingOne(path, name)).join(""),
        loader: "js",
      }));
    },
  };
}
