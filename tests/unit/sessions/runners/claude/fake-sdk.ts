/** The shape of the Claude Agent SDK with a script in the place of the agent; its process is a real one. */
import type {
  HookCallback,
  SdkMessage,
  SdkOptions,
  SpawnedProcess,
  SpawnOptions,
  UserMessage,
} from "../../../../../src/sessions/runners/claude/sdk.ts";

export interface FakeAgent {
  readonly options: SdkOptions;
  readonly process: SpawnedProcess;
  /** The next message of the person. */
  heard(): Promise<UserMessage>;
  /** Resolves when it is told to end its turn. */
  readonly interrupted: Promise<void>;
  hook(event: string, input: object): Promise<Record<string, unknown>>;
  /** Asks our server inside of the process. */
  ask(method: string, params?: object): Promise<Record<string, unknown>>;
  /** What our server told without being asked. */
  readonly notices: string[];
}

export type FakeScript = (agent: FakeAgent) => AsyncGenerator<object>;

export interface FakeSdkOptions {
  /** What is started in the place of the agent. */
  readonly program?: readonly string[];
}

export function fakeSdk(script: FakeScript, { program = ["/bin/cat"] }: FakeSdkOptions = {}) {
  const started: SdkOptions[] = [];
  const query = ({ prompt, options }: { prompt: AsyncIterable<UserMessage>; options: SdkOptions }) => {
    started.push(options);
    const [command = "", ...args] = program;
    const spawn = options.spawnClaudeCodeProcess as (options: SpawnOptions) => SpawnedProcess;
    const env = options.env as Record<string, string>;
    const process = spawn({ command, args, cwd: "/", env: { ...env, TOOLGATE_TOKEN: "secret" } });
    const messages = prompt[Symbol.asyncIterator]();
    const interrupted = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<IteratorResult<SdkMessage>>();
    const server = connect(options);
    const agent: FakeAgent = {
      options,
      process,
      async heard() {
        const { value, done } = await messages.next();
        if (done === true) await new Promise(() => {});
        process.stdin.write(`${JSON.stringify(value)}\n`);
        return value as UserMessage;
      },
      interrupted: interrupted.promise,
      hook: (event, input) => callHook(options, event, input),
      ask: async (method, params) => (await server).ask(method, params),
      notices: [],
    };
    void server.then(({ notices }) => Object.assign(agent, { notices }));
    const said = untilClosed(script(agent));
    process.once("exit", () => closed.resolve({ done: true, value: undefined }));
    return {
      next: () => Promise.race([said.next() as Promise<IteratorResult<SdkMessage>>, closed.promise]),
      [Symbol.asyncIterator]() {
        return this;
      },
      interrupt: async () => interrupted.resolve(),
      close: () => closed.resolve({ done: true, value: undefined }),
    };
  };
  return { module: { query }, started };
}

/** The agent lives on when it has nothing to say. */
async function* untilClosed(said: AsyncGenerator<object>): AsyncGenerator<object> {
  yield* said;
  await new Promise(() => {});
}

async function callHook(options: SdkOptions, event: string, input: object): Promise<Record<string, unknown>> {
  const hooks = options.hooks as Record<string, { readonly hooks: readonly HookCallback[] }[]>;
  const [hook] = hooks[event]?.[0]?.hooks ?? [];
  if (hook === undefined) return {};
  const asked = { hook_event_name: event, session_id: "fake", cwd: options.cwd, ...input };
  return hook(asked, undefined, { signal: new AbortController().signal });
}

async function connect({ mcpServers }: SdkOptions) {
  const server = (mcpServers as Record<string, { instance: { connect(transport: object): Promise<void> } }>)
    ?.toolgate;
  const waiting = new Map<number, (answer: Record<string, unknown>) => void>();
  const notices: string[] = [];
  const transport: Record<string, unknown> = {
    start: async () => {},
    send: async (message: Record<string, unknown>) => {
      if (typeof message.method === "string") notices.push(message.method);
      else waiting.get(message.id as number)?.(message);
    },
  };
  await server?.instance.connect(transport);
  let ids = 0;
  return {
    notices,
    ask: (method: string, params: object = {}) =>
      new Promise<Record<string, unknown>>((resolve) => {
        waiting.set(++ids, resolve);
        (transport.onmessage as (message: object) => void)({ jsonrpc: "2.0", id: ids, method, params });
      }),
  };
}

export const init = (sessionId = "agent-1") => ({ type: "system", subtype: "init", session_id: sessionId });

/** The messages of one answer that is only text, as the agent streams it. */
export function* textOf(text: string, id = "msg_1", parent: string | null = null) {
  const about = { parent_tool_use_id: parent, api_message_id: id };
  const event = (data: object) => ({ type: "stream_event", event: data, ...about });
  yield event({
    type: "message_start",
    message: { id, usage: { input_tokens: 5, cache_read_input_tokens: 2 } },
  });
  yield event({ type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } });
  yield event({ type: "content_block_delta", delta: { type: "thinking_delta", thinking: "Hm." } });
  yield { type: "assistant", message: { id, content: [{ type: "thinking", thinking: "Hm." }] }, ...about };
  yield event({ type: "content_block_start", index: 1, content_block: { type: "text", text: "" } });
  for (const part of text.split(/(?<= )/))
    yield event({ type: "content_block_delta", delta: { type: "text_delta", text: part } });
  yield { type: "assistant", message: { id, content: [{ type: "text", text }] }, ...about };
  yield event({ type: "message_delta", usage: { output_tokens: 3 } });
  yield event({ type: "message_stop" });
}

export const success = { type: "result", subtype: "success", is_error: false, stop_reason: "end_turn" };
