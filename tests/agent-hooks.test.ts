/** What an agent's hook loads stands in the way of every call, and is bundled by itself: our own files alone. */
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";
import { agentNames } from "../src/agents/all-agents.ts";

const agents = resolve(import.meta.dirname, "../src/agents");

/** Packages that a file imports at run time, itself or through files of ours. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)"/gms);
  return [...imports].flatMap(([, name = ""]) => {
    if (name.startsWith(".")) return packagesOf(join(dirname(file), name), seen);
    return name.startsWith("node:") ? [] : [`${relative(agents, file)}: ${name}`];
  });
}

it.for([...agentNames, "neutral"])("the hook of %s needs no package", (name) => {
  expect(packagesOf(join(agents, name, "hook.ts"))).toEqual([]);
});
