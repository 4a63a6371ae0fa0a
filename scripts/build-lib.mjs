// Builds what the package ships, as few files instead of a thousand: the library, the command line, and what they start as threads and
// processes. `toolgate mcp` is started by a client that waits for it. `node scripts/build-lib.mjs`, at the end of `npm run build`.

import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { parseConfigFile } from "../dist/config/file/parse-file.js";
import { readTextFile } from "../dist/safe/files/documents/read-text-file.js";
import { lateAlone, lateFiles, loadTogether } from "./late-files.mjs";
import { licences } from "./licences.mjs";
import { partsOfHook } from "./shared-parts.mjs";

const project = fileURLToPath(new URL("..", import.meta.url));
const sources = join(project, "src");
const target = join(project, "dist", "lib");
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

/** The only way in which a file of ours names another that is started or loaded by its address. */
const namesBeside = /\bmoduleBeside\(import\.meta\.url,\s*"([^"]+)"\)/g;

/** Files smaller than this are not worth opening. */
const crumbBytes = 30_000;
const withCrumbs = {
  light: 'import "crumbs:light";',
  heavy: 'import "crumbs:light"; import "crumbs:heavy";',
};

rmSync(target, { recursive: true, force: true });
const shipped = readTextFile(join(project, "routes", "shipped.yaml"));
const parsed = parseConfigFile(shipped.text, "", "routes").file;
const { beside, late } = readSources();
/** These need much of what the others need; the rest are small, or start sooner alone. */
const large = [...beside].filter((file) => file.endsWith("/strangers-process.ts"));
const single = [...beside].filter((file) => !large.includes(file));
const entryPoints = {
  index: join(sources, "index.ts"),
  testing: join(sources, "testing/index.ts"),
  contract: join(sources, "surfaces/rest/contract.ts"),
  start: join(sources, "surfaces/cli/start.ts"),
  ...Object.fromEntries(large.map((file) => [nameBeside(file), file])),
};
// First only to see which files esbuild would cut into crumbs, because some ways in need them and others do not; and what it cuts then.
const cuts = [];
for (const look of [() => [lateFiles(sources, [...late])], withoutCrumbs]) {
  const { metafile: cut } = await bundle({
    write: false,
    plugins: [...look(), partsOfHook(sources), ownPlaces(), builtins()],
  });
  cuts.push(cut);
}
const { metafile } = await bundle({
  plugins: [...withoutCrumbs(), partsOfHook(sources), ownPlaces(), builtins()],
});
const { metafile: small } = await bundle({
  entryPoints: Object.fromEntries(single.map((file) => [nameBeside(file), file])),
  splitting: false,
  plugins: [partsOfHook(sources), ownPlaces(), builtins()],
});
Object.assign(metafile.inputs, small.inputs);
Object.assign(metafile.outputs, small.outputs);
refuseWideText(Object.keys(metafile.outputs));
const copied = Object.keys(metafile.inputs).filter((name) => !name.startsWith("hook-part:"));
writeFileSync(join(target, "LICENSES.txt"), licences(project, copied));
// The files of TypeScript are for tests and benches; the thread is started from there, too.
writeFileSync(join(project, "dist/stores/sqlite/worker.js"), 'import "../../lib/beside-worker.js";\n');
await buildCommand();

function bundle(how) {
  return build({
    entryPoints,
    splitting: true,
    ...how,
    outdir: target,
    chunkNames: "part-[hash]",
    bundle: true,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node22.18",
    minify: true,
    // Of an error that nobody catches Node shows the line.
    lineLimit: 160,
    legalComments: "none",
    // Found by their own files, or only there if somebody installed them; the others are one file each already.
    external: [
      "@opentelemetry/*",
      "@vscode/*",
      "@clack/prompts",
      "@eslint-community/regexpp",
      "minisearch",
      "pg",
      "playwright-core",
      "re2js",
    ],
    // Its main file is made for every kind of loader, and asks for its parts in a way that no bundler sees.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    define: { TOOLGATE_SHIPPED: JSON.stringify({ sha256: shipped.sha256, parsed }) },
    logLevel: "warning",
    // A package that says so lies where it is used.
    logOverride: { "ignored-bare-import": "silent" },
  });
}

/**
 * What would lie in crumbs is loaded by every way into library and command line, and so lies in one file; what needs much itself, only by
 * those that load much anyway.
 */
function crumbs([{ inputs, outputs }, ...later]) {
  const places = placesIn(outputs);
  const laterPlaces = later.map((cut) => placesIn(cut.outputs));
  const isCrumb = (name) =>
    [places, ...laterPlaces].some((all) => {
      const output = all.get(name);
      return output?.entryPoint === undefined && output?.bytes < crumbBytes;
    });
  const all = [...places.keys()].filter(isCrumb).sort();
  // Whatever a file imports comes along, also what only passes on the names of others.
  const importsOf = (name) =>
    (inputs[name]?.imports ?? []).filter(({ kind, external }) => kind !== "dynamic-import" && !external);
  const light = new Set(Object.keys(inputs).filter((name) => isCrumb(name) || !places.has(name)));
  for (let before = 0; before !== light.size; ) {
    before = light.size;
    for (const name of light) if (importsOf(name).some(({ path }) => !light.has(path))) light.delete(name);
  }
  const contents = {
    light: importing(all.filter((name) => light.has(name))),
    heavy: importing(all.filter((name) => !light.has(name))),
  };
  const own = lateAlone([...late]);
  const inSources = (places) => places.map((place) => join(sources, place));
  const ways = new Map([
    ...[entryPoints.start, ...large, ...inSources(own.light)].map((file) => [file, withCrumbs.light]),
    ...[entryPoints.index, entryPoints.testing, ...inSources(own.heavy)].map((file) => [
      file,
      withCrumbs.heavy,
    ]),
  ]);
  return {
    name: "crumbs",
    setup(building) {
      building.onResolve({ filter: /^crumbs:/ }, ({ path }) => ({
        path: path.slice(7),
        namespace: "crumbs",
      }));
      building.onLoad({ filter: /.*/, namespace: "crumbs" }, ({ path }) => ({
        contents: contents[path],
        resolveDir: project,
        loader: "js",
      }));
      building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const first = ways.get(path);
        return first && { contents: first + sourceOf(path), loader: "ts" };
      });
    },
  };
}

function placesIn(outputs) {
  return new Map(
    Object.values(outputs).flatMap((output) => Object.keys(output.inputs).map((name) => [name, output])),
  );
}

function withoutCrumbs() {
  return [lateFiles(sources, [...late], withCrumbs), crumbs(cuts)];
}

/** Parts of Node are only named, not loaded: one of them costs 20 ms. */
function importing(names) {
  const files = names
    .filter((name) => /^(?:src|node_modules)\//.test(name))
    .map((name) => join(project, name));
  const parts = names.flatMap((name) => /^object:(.+)$/.exec(name)?.[1] ?? []);
  const plainParts = names.flatMap((name) => /^plain:(.+)$/.exec(name)?.[1] ?? []);
  return [
    ...[...plainParts, ...files].map((file) => `import ${JSON.stringify(file)};`),
    `if (process.pid === 0) [${parts.map((part) => `require(${JSON.stringify(part)})`)}];`,
  ].join("\n");
}

/** What files of the source name in words instead of importing it: what lies beside them, and what they load late. */
function readSources() {
  const [beside, late] = [new Set(), new Set()];
  for (const file of readdirSync(sources, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    const text = readFileSync(join(sources, file), "utf8");
    for (const [, name] of text.matchAll(namesBeside)) beside.add(resolve(sources, file, "..", `${name}.ts`));
    for (const [, name] of text.matchAll(/(?<!typeof )\bimport\("(\.[^"]+\.ts)"\)/g))
      late.add(relative(sources, resolve(sources, file, "..", name)).replaceAll("\\", "/"));
  }
  return { beside, late };
}

/** Threads and processes are told what they run by its address. */
function nameBeside(file) {
  return `beside-${basename(file, ".ts")}`;
}

/** The file that `toolgate` is: old Nodes have to understand it, too, and it finds everything else beside itself. */
async function buildCommand() {
  const [entry, file] = [join(sources, "cli.ts"), join(project, "dist", "cli.js")];
  const inLib = { "./surfaces/cli/start.ts": "./lib/start.js" };
  await build({
    entryPoints: [entry],
    outfile: file,
    allowOverwrite: true,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node14.18",
    minifySyntax: true,
    plugins: [
      {
        name: "in-lib",
        setup(building) {
          building.onResolve({ filter: /^\.\/surfaces\// }, ({ path }) => {
            if (!(path in inLib)) return undefined;
            return { path: inLib[path], external: true };
          });
          building.onLoad({ filter: /\.ts$/ }, ({ path }) =>
            path === entry
              ? undefined
              : { contents: fromPlace(readFileSync(path, "utf8"), `./${placeInDist(path)}`), loader: "ts" },
          );
        },
      },
    ],
    logLevel: "warning",
  });
  chmodSync(file, 0o755);
}

/**
 * Each of our files keeps the place that it has in dist, whatever bundle it is in. What it names beside itself lies beside the bundle, and
 * what it loads late may lie there together with others.
 */
function ownPlaces() {
  return {
    name: "own-places",
    setup(building) {
      building.onLoad({ filter: /\.ts$/ }, ({ path }) => ({ contents: sourceOf(path), loader: "ts" }));
    },
  };
}

function sourceOf(path) {
  const beside = readFileSync(path, "utf8").replaceAll(namesBeside, (_, name) => {
    const file = JSON.stringify(`./${nameBeside(resolve(path, "..", `${name}.ts`))}.js`);
    return `new URL(${file}, import.meta.URL)`;
  });
  const text = fromPlace(beside, `../${placeInDist(path)}`)
    .replaceAll("import.meta.URL", "import.meta.url")
    // The hook has it beside itself.
    .replace('"../../routes/shipped.yaml"', '"../hook/shipped.yaml"')
    // Node shows the class of an error that nobody catches.
    .replaceAll(/\bclass (\w+) extends (\w*Error) \{/g, 'class $1 extends $2 { static name = "$1";')
    // One object with all types is never cut down to those that are used.
    .replace(
      /import \{ (.*\b)?Type \} from "typebox"/,
      (_, types = "") =>
        `import * as Type from "typebox"${types === "" ? "" : `; import { ${types}} from "typebox"`}`,
    );
  return loadTogether(text, path, sources);
}

/** The file that TypeScript makes of a source. */
function placeInDist(path) {
  return relative(sources, path).replaceAll("\\", "/").replace(/\.ts$/, ".js");
}

/** What a file names from its own place is found from that of the bundle. */
function fromPlace(text, place) {
  return text.replaceAll("import.meta.url", `new URL(${JSON.stringify(place)}, import.meta.url).href`);
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
