/** The command line with a scripted model behind the runner `chat`, and with a server where a test wants one. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createScriptedModel, type ScriptedModelOptions } from "../../../../src/testing/scripted-model.ts";
import { type CliWorld, createCliWorld } from "./cli-world.ts";

export async function createSessionCliWorld(script: ScriptedModelOptions["script"], rules = "") {
  const world: CliWorld = createCliWorld();
  const model = await createScriptedModel({ script });
  const config = join(world.home, ".config", "toolgate");
  mkdirSync(config, { recursive: true });
  writeFileSync(
    join(config, "config.yaml"),
    `sessions:\n  runners:\n    local: { type: chat, api: anthropic, base_url: '${model.url}', model: m }\n${rules}`,
  );
  return {
    ...world,
    model,
    /** Runs the server until `during` is over. */
    async serving<Result>(
      during: (server: { url: string; token: string }) => Promise<Result>,
    ): Promise<Result> {
      const ending = new AbortController();
      const { promise: said, resolve: tell } = Promise.withResolvers<string>();
      const over = world.run(["serve", "--port", "0", "--json"], { signal: ending.signal, onOut: tell });
      const first = await Promise.race([said, over.then(({ err }) => Promise.reject(new Error(err)))]);
      const { url, tokenFile } = JSON.parse(first);
      const { readFileSync } = await import("node:fs");
      try {
        return await during({ url, token: readFileSync(tokenFile, "utf8").trim() });
      } finally {
        ending.abort();
        await over;
      }
    },
    async close() {
      await model.close();
      world.close();
    },
  };
}

export type SessionCliWorld = Awaited<ReturnType<typeof createSessionCliWorld>>;
