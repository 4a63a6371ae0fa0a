// The loops of others: the same model and tool, no rules, nothing recorded.

import { description, zodSchema } from "../walk/add-tool.mjs";

const add = async ({ a, b }) => a + b;
const name = "math_add";

// Two of them would send usage data or traces, which would be traffic and would be measured.
Object.assign(process.env, {
  OPENAI_AGENTS_DISABLE_TRACING: "1",
  LANGSMITH_TRACING: "false",
  AI_SDK_LOG_WARNINGS: "false",
});
globalThis.AI_SDK_LOG_WARNINGS = false;

export async function aiSdkSubjects(url) {
  const { generateText, streamText, stepCountIs, tool } = await import("ai");
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({
    name: "bench",
    baseURL: `${url}/v1`,
    apiKey: "none",
    includeUsage: true,
  });
  const asked = (prompt, steps) => ({
    model: provider("bench"),
    tools: { [name]: tool({ description, inputSchema: zodSchema, execute: add }) },
    stopWhen: stepCountIs(steps + 1),
    prompt,
  });
  return [
    {
      name: "Vercel AI SDK, streamText",
      streams: true,
      async turn(prompt, steps) {
        const stream = streamText(asked(prompt, steps));
        for await (const _ of stream.fullStream);
        return sums(
          (await stream.steps).flatMap(({ toolResults }) => toolResults.map(({ output }) => output)),
        );
      },
    },
    {
      name: "Vercel AI SDK, generateText (no streaming)",
      async turn(prompt, steps) {
        const { steps: done } = await generateText(asked(prompt, steps));
        return sums(done.flatMap(({ toolResults }) => toolResults.map(({ output }) => output)));
      },
    },
  ];
}

export async function agentsSdkSubjects(url) {
  const { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } = await import("@openai/agents");
  const { default: OpenAI } = await import("openai");
  setTracingDisabled(true);
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "none" });
  const agent = new Agent({
    name: "bench",
    instructions: "Add.",
    model: new OpenAIChatCompletionsModel(client, "bench"),
    tools: [tool({ name, description, parameters: zodSchema, execute: add })],
  });
  const outputs = (items) =>
    sums(items.filter(({ type }) => type === "tool_call_output_item").map(({ output }) => output));
  return [
    {
      name: "OpenAI Agents SDK, streamed",
      streams: true,
      async turn(prompt, steps) {
        const result = await run(agent, prompt, { stream: true, maxTurns: steps + 2 });
        for await (const _ of result);
        await result.completed;
        return outputs(result.newItems);
      },
    },
    {
      name: "OpenAI Agents SDK (no streaming)",
      async turn(prompt, steps) {
        const { newItems } = await run(agent, prompt, { maxTurns: steps + 2 });
        return outputs(newItems);
      },
    },
  ];
}

export async function langgraphSubjects(url) {
  const { createReactAgent } = await import("@langchain/langgraph/prebuilt");
  const { ChatOpenAI } = await import("@langchain/openai");
  const { tool } = await import("@langchain/core/tools");
  const llm = new ChatOpenAI({
    model: "bench",
    apiKey: "none",
    configuration: { baseURL: `${url}/v1` },
    useResponsesApi: false,
  });
  const graph = createReactAgent({ llm, tools: [tool(add, { name, description, schema: zodSchema })] });
  const input = (prompt) => ({ messages: [{ role: "user", content: prompt }] });
  const outputs = (messages) =>
    sums(messages.filter((one) => one.getType() === "tool").map(({ content }) => content));
  return [
    {
      name: "LangGraph, streamed",
      streams: true,
      async turn(prompt, steps) {
        let last;
        const stream = await graph.stream(input(prompt), {
          streamMode: ["messages", "values"],
          recursionLimit: 2 * steps + 5,
        });
        for await (const [mode, value] of stream) if (mode === "values") last = value;
        return outputs(last.messages);
      },
    },
    {
      name: "LangGraph, invoke (no streaming)",
      async turn(prompt, steps) {
        const { messages } = await graph.invoke(input(prompt), { recursionLimit: 2 * steps + 5 });
        return outputs(messages);
      },
    },
  ];
}

function sums(outputs) {
  return outputs.map(Number);
}
