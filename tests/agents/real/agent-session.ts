/** One session of a real agent, with the hook installed, and a scripted model: the model makes one call after the other, and what it was then told is kept. */
import { createScriptedModel, type ModelRequest, type ScriptedCall } from "../../../src/testing/index.ts";
import { runProcess } from "../run-process.ts";
import type { Workbench } from "../workbench.ts";
import { installHook } from "./agent-bench.ts";
import type { AgentWorld, RealAgent, StdioServer } from "./real-agent.ts";

/** One turn of the model. */
export interface Step {
  /** By which `told` finds it. */
  readonly name: string;
  /** A function: by what the model was told of the step before. */
  readonly call: ScriptedCall | ((told: string) => ScriptedCall);
  /** Done before the model makes the call. */
  readonly before?: () => void | Promise<void>;
}

export interface SessionPlan {
  readonly steps: readonly Step[];
  /** What the sub-agent does whose first message holds `prompt`. */
  readonly subAgent?: { readonly prompt: string; readonly steps: readonly Step[] };
  readonly mcpServers?: Readonly<Record<string, StdioServer>>;
  /** Done when the hook is in, before the agent starts. */
  readonly installed?: () => void | Promise<void>;
  /** What somebody else does while it runs, such as answering a question. Fires `signal` when it has ended. */
  readonly meanwhile?: (signal: AbortSignal) => Promise<void>;
}

export interface AgentSession {
  /** Everything that the model was told between this call and its next turn. */
  told(step: string): string;
  /** Everything that the model was ever told, as it came. */
  readonly heard: string;
  readonly requests: readonly ModelRequest[];
  readonly stdout: string;
  readonly stderr: string;
}

const defaultTimeoutMs = 120_000;

export async function runAgent(agent: RealAgent, bench: Workbench, plan: SessionPlan): Promise<AgentSession> {
  const { steps, subAgent, mcpServers = {}, installed, meanwhile } = plan;
  const answers = new Map<string, string>();
  const isAside = agent.isAside ?? (({ tools }: ModelRequest) => tools.length === 0);

  /** By what the conversation holds already: a request that is sent again gets the same answer again. */
  async function nextTurn(request: ModelRequest, all: readonly Step[]) {
    if (isAside(request)) return "Aside.";
    const results = request.messages.flatMap(({ toolResults }) => toolResults.map(({ text }) => text));
    const { count, isAgain } = countAnswers(results);
    const done = all[count - 1];
    // What an agent adds when the model has nothing more to do is no news of the call.
    if (done !== undefined && !answers.has(done.name)) answers.set(done.name, newsIn(request));
    const step = all[count];
    // Whatever comes before a call comes before it once.
    if (!isAgain) await step?.before?.();
    if (step === undefined) return "Done.";
    const call = typeof step.call === "function" ? step.call(newsIn(request)) : step.call;
    return { ...call, id: `call_${step.name.replace(/\W/g, "_")}${isAgain ? "_again" : ""}` };
  }

  await using model = await createScriptedModel({
    script: (request) => nextTurn(request, steps),
    conversations:
      subAgent === undefined
        ? []
        : [{ when: subAgent.prompt, script: (request) => nextTurn(request, subAgent.steps) }],
  });
  const world: AgentWorld = { modelUrl: model.url, mcpServers };
  await agent.configure(bench, world);
  await installHook(agent, bench);
  await installed?.();
  const { program, args, env = {} } = agent.command("Do it.", world);
  const ended = new AbortController();
  const running = runProcess(program, args, {
    cwd: bench.project,
    env: { ...bench.env, ...env },
    timeoutMs: agent.timeoutMs ?? defaultTimeoutMs,
  }).finally(() => ended.abort());
  try {
    const [{ code, stdout, stderr }] = await Promise.all([running, meanwhile?.(ended.signal)]);
    const said = `${agent.name} ended with ${code}\n${stdout.slice(-2_000)}\n${stderr.slice(-2_000)}`;
    if (model.errors.length > 0) throw new Error(`The script failed: ${model.errors.join("\n")}\n${said}`);
    return {
      told(step) {
        const answer = answers.get(step);
        if (answer === undefined)
          throw new Error(
            `The model was told nothing of "${step}", only of ${[...answers.keys()].join(", ") || "nothing"}.\n${said}`,
          );
        return answer;
      },
      heard: model.requests.map(({ body }) => JSON.stringify(body)).join("\n"),
      requests: model.requests,
      stdout,
      stderr,
    };
  } finally {
    await agent.cleanUp?.(bench);
  }
}

/**
 * An agent that waits only for seconds is told to make the call again when the answer is not there in time, as on
 * a busy machine: a model would, once. The second time it counts as an answer.
 */
function countAnswers(results: readonly string[]): { readonly count: number; readonly isAgain: boolean } {
  let [count, isAgain] = [0, false];
  for (const text of results) {
    isAgain = !isAgain && text.includes("make exactly the same call again");
    if (!isAgain) count += 1;
  }
  return { count, isAgain };
}

function newsIn({ messages, toolResults, systemMessages }: ModelRequest): string {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return [
    ...messages.slice(last + 1).map(({ text }) => text),
    ...toolResults.map(({ text }) => text),
    ...systemMessages,
  ].join("\n");
}
