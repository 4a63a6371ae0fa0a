// How agent frameworks invoke a tool: validate its input, run it, hand the result back. No rules, no limits, no record.

import { description, inputAt, zodSchema } from "./add-tool.mjs";

const run = async ({ a, b }) => a + b;

// Two of them would send usage data or traces, which would be traffic and would be measured.
Object.assign(process.env, {
  MASTRA_TELEMETRY_DISABLED: "1",
  OPENAI_AGENTS_DISABLE_TRACING: "1",
  LANGSMITH_TRACING: "false",
});

export async function mastraSubject() {
  const { createTool } = await import("@mastra/core/tools");
  const tool = createTool({ id: "add", description, inputSchema: zodSchema, execute: run });
  return {
    name: "@mastra/core createTool().execute",
    call: (index) => tool.execute(inputAt(index), {}),
    sum: (value) => value,
  };
}

export async function openaiSubject() {
  const { RunContext, tool } = await import("@openai/agents");
  const add = tool({ name: "add", description, parameters: zodSchema, execute: run });
  const context = new RunContext();
  // It takes the input as the model's text.
  const texts = Array.from({ length: 1_024 }, (_, index) => JSON.stringify(inputAt(index)));
  return {
    name: "@openai/agents tool().invoke",
    call: (index) => add.invoke(context, texts[index & 1_023]),
    sum: Number,
  };
}

export async function langchainSubject() {
  const { tool } = await import("@langchain/core/tools");
  const add = tool(run, { name: "add", description, schema: zodSchema });
  return { name: "@langchain/core tool().invoke", call: (index) => add.invoke(inputAt(index)), sum: Number };
}
