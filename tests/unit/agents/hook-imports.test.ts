/** The hooks of most agents lie in one file: a package that one of them imports would be loaded, and could break, for all. */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { agentNames } from "../../../src/agents/all-agents.ts";

const agents = resolve(import.meta.dirname, "../../../src/agents");

/** What a file imports at run time, and what these import. */
function importsOf(file: string, seen: Map<string, string[]> = new Map()): Map<string, string[]> {
  if (seen.has(file)) return seen;
  const text = readFileSync(file, "utf8").replaceAll(/^(?:import|export) type [^;]*;/gm, "");
  const names = [...text.matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)";/gm)].map(
    ([, name = ""]) => name,
  );
  seen.set(file, names);
  for (const name of names) if (name.startsWith(".")) importsOf(join(dirname(file), name), seen);
  return seen;
}

it.for(agentNames)("the hook of %s imports no package", (name) => {
  const found = [...importsOf(join(agents, name, "hook.ts"))];
  expect(found.length).toBeGreaterThan(2);
  const packages = found.flatMap(([file, names]) =>
    names.filter((one) => !/^(?:\.|node:)/.test(one)).map((one) => `${file}: ${one}`),
  );
  expect(packages).toEqual([]);
});
