// Builds the hook: one small file for every call, siblings for what most calls do not need, all of it without any other package.
// `node scripts/build-hook.mjs`, at the end of `npm run build`.

import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { agentNames, allAgents } from "../src/agents/all-agents.ts";
import { buildPlugins } from "./build-plugins.mjs";
import { licences } from "./licences.mjs";
import { laterMembers, membersOf, sharedParts } from "./shared-parts.mjs";

const project = fileURLToPath(new URL("..", import.meta.url));
const source = (file) => join(project, "src", file);

/**
 * The process of a hook loads only the file that holds its agent. The first agent and the bare form have one each; all others, a few
 * kilobytes each, share one: a file for each would make a third of the package's files.
 */
const hookOf = (name) => source(`agents/${name}/hook.ts`);
const [firstName, ...otherNames] = agentNames;
const agents = {
  [`agent-${firstName}`]: [hookOf(firstName)],
  "agent-neutral": [hookOf("neutral")],
  ...(otherNames.length > 0 && { "agent-others": otherNames.map(hookOf) }),
};

/** Each sibling holds these modules; whoever imports one of them gets it when he first touches it. */
const siblings = {
  ...agents,
  main: [source("surfaces/hook/process/main.ts")],
  stay: [source("surfaces/hook/process/resident/stay.ts")],
  visible: [source("core/text/visible.ts")],
  keep: [source("surfaces/hook/process/keep-code.ts")],
  shell: [source("shell/judge.ts"), join(project, "node_modules/unbash/dist/parser.js")],
  judges: [
    source("rules/policies.ts"),
    source("rules/decide.ts"),
    source("safe/files/locate-path.ts"),
    source("safe/files/expand-glob.ts"),
    source("safe/files/find-below.ts"),
    source("safe/files/repository/look-at-repository.ts"),
  ],
  patterns: [source("safe/regex/safe-regex.ts")],
  redact: [source("safe/redact/redact.ts")],
  commands: [source("safe/command-hook/command-hooks.ts")],
  slow: [source("surfaces/hook/process/compile-rules.ts")],
  yaml: [join(project, "node_modules/yaml/dist/index.js")],
  re2: [join(project, "node_modules/re2js/build/index.js")],
};

/** What is worth a file of its own differs: the slow path needs nearly everything. */
function lazyFor(name) {
  if (name === "main")
    return [
      "shell",
      "judges",
      "patterns",
      "redact",
      "commands",
      "slow",
      "visible",
      "keep",
      "stay",
      ...Object.keys(agents),
    ];
  if (name in agents) return ["visible"];
  if (name === "hook") return Object.keys(agents);
  if (name === "re2" || name === "yaml") return [];
  // What every call may need is there anyway: a second copy of it would be a third of the hook.
  const parts =
    name === "slow" ? ["shell", "judges", "patterns", "redact", "commands", "visible", "yaml"] : [];
  return ["re2", ...parts, ...Object.keys(agents)];
}

/** Parts of an agent's adapter that a bundle never loads: nobody sets an agent up from a hook, and only the slow path finds rules. */
function neverLoaded(name) {
  return name === "slow" ? /\/agents\/[^/]+\/setup\.ts$/ : /\/agents\/[^/]+\/(?:setup|routes)\.ts$/;
}

/** Parts of Node that cost milliseconds to load. */
const lazyBuiltins = /^node:(crypto|child_process|os|v8|vm|worker_threads)$/;

const placeholder = "@toolgate-build@";
const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));

/** What an agent is told by a hook in which something broke, with a place for the reason. */
const lastWords = Object.fromEntries(allAgents.map((agent) => [agent.name, agent.lastWords("@reason@")]));

const exported = (modules) => modules.map((file) => `export * from ${JSON.stringify(file)};`).join("\n");
const bundles = await Promise.all([
  bundle("hook", `import ${JSON.stringify(source("surfaces/hook/process/entry.ts"))};`),
  ...Object.entries(siblings).map(([name, modules]) => bundle(name, exported(modules))),
]);
for (const { name, text } of bundles)
  if (text.includes("define.amd"))
    throw new Error(
      `${name}.cjs has a package in a form that requires files at run time, which are not there.`,
    );
for (const { name, text } of bundles)
  if (/,"[dgimsy]*v[dgimsy]*"\)/.test(text))
    throw new Error(`${name}.cjs has a pattern with flag v, which Node 18 does not know.`);
// Rules that another build compiled are not taken from the cache, also while the version stays the same.
const hash = createHash("sha256");
for (const { text } of bundles) hash.update(text);
const stamp = `${version}+${hash.digest("hex").slice(0, 12)}`;

const target = join(project, "dist", "hook");
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const { name, text } of bundles)
  writeFileSync(join(target, `${name}.cjs`), text.replaceAll(placeholder, stamp));
cpSync(join(project, "routes", "shipped.yaml"), join(target, "shipped.yaml"));
writeFileSync(join(target, "hook.sh"), shortScript());
// Agents start these two by their names alone.
for (const name of ["hook.sh", "hook.cjs"]) chmodSync(join(target, name), 0o755);
writeFileSync(
  join(target, "LICENSES.txt"),
  licences(
    project,
    bundles.flatMap(({ inputs }) => inputs),
  ),
);

// Plugins that run inside of agents: `install` puts the values of the machine above their code. All in one file, of a few kilobytes.
writeFileSync(join(target, "plugins.json"), `${JSON.stringify(await buildPlugins(), undefined, 1)}\n`);

// A plugin is installed as its folder alone: this one is it.
const plugin = join(project, "plugins", "claude-code");
for (const part of [".claude-plugin", "hooks"])
  cpSync(join(plugin, part), join(target, part), { recursive: true });

/** Bash reads comments and indentation anew for every call. */
function shortScript() {
  const [start, ...lines] = readFileSync(source("surfaces/hook/process/hook.sh"), "utf8").split("\n");
  const kept = lines.map((line) => line.trimStart()).filter((line) => line !== "" && !line.startsWith("#"));
  return [start, "# Made of src/surfaces/hook/process/hook.sh, which explains it.", ...kept, ""].join("\n");
}

async function bundle(name, contents) {
  const built = await build({
    stdin: { contents, resolveDir: project, sourcefile: `${name}.ts`, loader: "ts" },
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: "cjs",
    platform: "node",
    target: "node18",
    // A package's own CommonJS may be a universal module, whose calls of `require` nobody can follow.
    mainFields: ["module", "main"],
    // `import()` becomes `require`, which we hand to each part ourselves.
    supported: { "dynamic-import": false },
    legalComments: "none",
    define: {
      TOOLGATE_BUILD: JSON.stringify(placeholder),
      TOOLGATE_LAST_WORDS: JSON.stringify(JSON.stringify(lastWords)),
      "import.meta.url": "undefined",
    },
    plugins: [
      olderNode(),
      lazySiblings(lazyFor(name), neverLoaded(name)),
      builtinsWhenUsed(name === "hook" ? /^node:os$/ : lazyBuiltins),
    ],
    logLevel: "warning",
  });
  const universal = Object.keys(built.metafile.inputs).filter((file) => /[\\/]umd[\\/]/.test(file));
  if (universal.length > 0) throw new Error(`${name}: ${universal} would look for its parts when it runs.`);
  const [{ text }] = built.outputFiles;
  // Parts are run by the hook itself, which can hand V8 what it compiled before; Node's own loader cannot.
  const wrapped =
    name === "hook"
      ? `#!/usr/bin/env node\n${text}`
      : `${asModule(name)}(function (require) { var module = { exports: {} }, exports = module.exports;${text}\nreturn module.exports; })`;
  return { name, text: wrapped, inputs: Object.keys(built.metafile.inputs) };
}

/** What library and command line need, too, they take from here: their loader is Node's own. */
function asModule(name) {
  return name in sharedParts ? '(typeof module === "object" ? module : {}).exports = ' : "";
}

/** Imports of these modules become objects whose members load the sibling. */
function lazySiblings(names, never) {
  const siblingOf = new Map(names.flatMap((name) => siblings[name].map((file) => [file, name])));
  return {
    name: "lazy-siblings",
    setup(building) {
      building.onResolve(
        { filter: /.*/ },
        async ({ path, importer, resolveDir, kind, pluginData, namespace }) => {
          if (namespace === "lazy-sibling") return { path, external: true };
          if (pluginData === "found" || kind === "entry-point" || !/^(?:\.|(?:re2js|yaml)$)/.test(path))
            return undefined;
          const found = await building.resolve(path, { importer, resolveDir, kind, pluginData: "found" });
          if (kind === "dynamic-import" && never.test(found.path.replaceAll("\\", "/")))
            return { path: "never-loaded", external: true };
          const name = siblingOf.get(resolve(found.path));
          if (name === undefined) return found;
          if (kind === "dynamic-import") return { path: `./${name}.cjs`, external: true };
          return { path: found.path, namespace: "lazy-sibling", pluginData: name };
        },
      );
      building.onLoad({ filter: /.*/, namespace: "lazy-sibling" }, async ({ path, pluginData }) => {
        return { contents: await membersOf(path, `require("./${pluginData}.cjs")`), loader: "js" };
      });
    },
  };
}

function builtinsWhenUsed(filter) {
  return {
    name: "builtins-when-used",
    setup(building) {
      building.onResolve({ filter }, ({ path, namespace }) =>
        namespace === "lazy-builtin" ? { path, external: true } : { path, namespace: "lazy-builtin" },
      );
      building.onLoad({ filter: /.*/, namespace: "lazy-builtin" }, ({ path }) => {
        const builtin = process.getBuiltinModule(path);
        const members = [...namesImported(path)].map((member) => [member, builtin[member]]);
        return { contents: laterMembers(members, `require("${path}")`), loader: "js" };
      });
    },
  };
}

/** What our own files import of it; more members would only cost time. */
function namesImported(builtin) {
  const names = new Set();
  for (const file of readdirSync(source("."), { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    const imports = readFileSync(source(file), "utf8").matchAll(
      new RegExp(`import \\{([^}]+)\\} from "${builtin}"`, "g"),
    );
    for (const [, list] of imports) {
      for (const one of list.split(",")) {
        const [name] = one.trim().split(" as ");
        if (name !== "" && !name.startsWith("type ")) names.add(name);
      }
    }
  }
  return names;
}

/** Flag v came with Node 20. The same sets, said with flag u. */
function olderNode() {
  return {
    name: "older-node",
    setup(building) {
      building.onLoad({ filter: /[\\/]core[\\/]text[\\/]visible\.ts$/, namespace: "file" }, ({ path }) => {
        const text = readFileSync(path, "utf8")
          .replaceAll(/\/\[(\[[^\]]+\])--(\[[^\]]+\])\]\/v/g, "/(?!$2)$1/u")
          .replaceAll('"gv"', '"gu"');
        return { contents: text, loader: "ts" };
      });
    },
  };
}
