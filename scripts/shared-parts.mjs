// Parts of the hook that library and command line load from there: a second copy of what judges command lines, takes secrets out
// and reads YAML would be a tenth of the package. They are read when they are first used, so no command waits for what it does not need.

import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** By the part's name: what is imported from it, a place in `src` or a package. Nothing in them needs anything else of ours. */
export const sharedParts = {
  redact: ["safe/redact/redact.ts"],
  shell: ["shell/judge.ts", "unbash"],
  yaml: ["yaml"],
};

/** The members of a file, as a module that gets them from `part` (code) when they are used. */
export async function membersOf(file, part) {
  return laterMembers(Object.entries(await import(pathToFileURL(file))), part);
}

/**
 * A function is passed on only when it is called: to hand it to somebody must not load anything. If there is
 * nothing but functions, a bundle takes those that it uses; an object with all of them would be made by every
 * process.
 */
export function laterMembers(all, part) {
  const members = all.filter(([member]) => /^\w+$/.test(member));
  const pass = (member) => `(...given) => ${part}.${member}(...given)`;
  if (members.every(([, value]) => isPlainFunction(value)))
    return members.map(([member]) => `export const ${member} = ${pass(member)};`).join("\n");
  const kept = members.map(([member, value]) =>
    isPlainFunction(value) ? `${member}: ${pass(member)}` : `get ${member}() { return ${part}.${member}; }`,
  );
  return `module.exports = { ${kept.join(", ")} };`;
}

function isPlainFunction(value) {
  return typeof value === "function" && !String(value).startsWith("class");
}

/** For esbuild: in a bundle of library or command line these are not copied. */
export function partsOfHook(sources) {
  const parts = new Map(
    Object.entries(sharedParts).flatMap(([name, all]) =>
      all.map((from) => [from.endsWith(".ts") ? join(sources, from) : from, name]),
    ),
  );
  return {
    name: "parts-of-hook",
    setup(building) {
      building.onResolve({ filter: /^hook-parts$/ }, ({ path }) => ({ path, namespace: "hook-parts" }));
      building.onLoad({ filter: /.*/, namespace: "hook-parts" }, () => ({ contents: loader, loader: "js" }));
      building.onResolve(
        { filter: /^(?:yaml|unbash)$|\/(?:judge|redact)\.ts$/ },
        async ({ path, importer, resolveDir, kind, pluginData }) => {
          if (pluginData === "found") return undefined;
          const found = await building.resolve(path, { importer, resolveDir, kind, pluginData: "found" });
          const name = parts.get(path) ?? parts.get(found.path);
          if (name === undefined) return found;
          return { path: found.path, namespace: "hook-part", pluginData: name };
        },
      );
      building.onLoad({ filter: /.*/, namespace: "hook-part" }, async ({ path, pluginData: name }) => ({
        contents: `const { ${name} } = require("hook-parts");\n${await membersOf(path, `${name}()`)}`,
        resolveDir: sources,
        loader: "js",
      }));
    },
  };
}

/** A part is a function that is given what it may ask for: parts of Node alone. */
const loader = `
  const load = process.getBuiltinModule("node:module").createRequire(import.meta.url);
  ${Object.keys(sharedParts)
    .map(
      (name) => `let ${name}Part;
        export const ${name} = () => (${name}Part ??= load("../hook/${name}.cjs")(process.getBuiltinModule));`,
    )
    .join("\n")}
`;
