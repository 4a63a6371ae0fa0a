// The plugins that run inside of agents, each as the text of one module that imports nothing but Node's own.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { agentNames } from "../src/agents/all-agents.ts";

const sourceOf = (name) => fileURLToPath(new URL(`../src/agents/${name}/plugin.ts`, import.meta.url));

/** By the name of the agent. Readable: a person may want to see what is put into an agent. */
export async function buildPlugins() {
  const names = agentNames.filter((name) => existsSync(sourceOf(name)));
  const texts = await Promise.all(names.map(async (name) => [name, await textOf(sourceOf(name))]));
  return Object.fromEntries(texts);
}

async function textOf(source) {
  const built = await build({
    entryPoints: [source],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "es2022",
    charset: "ascii",
    legalComments: "none",
    logLevel: "warning",
  });
  return built.outputFiles[0].text;
}
