/** The command line with a scripted model behind the runner `chat`, and with a server where a test wants one. */
import { createScriptedModel, type ScriptedModelOptions } from "../../../../src/testing/scripted-model.ts";
import { type CliWorld, createCliWorld } from "./cli-world.ts";

export async function createSessionCliWorld(script: ScriptedModelOptions["script"], rules = "") {
  const world: CliWorld = createCliWorld();
  const model = await createScriptedModel({ script });
  world.configure(
    `sessions:\n  runners:\n    local: { type: chat, api: anthropic, base_url: '${model.url}', model: m }\n${rules}`,
  );
  return {
    ...world,
    model,
    async close() {
      await model.close();
      world.close();
    },
  };
}

export type SessionCliWorld = Awaited<ReturnType<typeof createSessionCliWorld>>;
