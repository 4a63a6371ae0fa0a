/** A real `toolgate mcp` over its pipes. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { CliWorld } from "./cli-process.ts";

export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: { readonly content?: { readonly text: string }[]; readonly [key: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string };
}

/** Speaks with a real `toolgate mcp` over its pipes, line by line. */
export function startMcp(world: CliWorld, argv: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const child = world.start(["mcp", ...argv], [], env);
  const lines: string[] = [];
  let err = "";
  let wake = () => {};
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    lines.push(line);
    wake();
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  child.stdin?.on("error", () => {});
  const write = (text: string) => child.stdin?.write(text);
  const next = async (fits: (message: Message) => boolean): Promise<Message> => {
    for (;;) {
      const found = lines.map((line) => JSON.parse(line) as Message).find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const send = (message: object) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    child,
    lines,
    write,
    send,
    next,
    stderr: () => err,
    ask: (id: number, method: string, params: object = {}) => {
      send({ id, method, params });
      return next((message) => message.id === id && message.method === undefined);
    },
    async hello(capabilities: object = {}) {
      const params = { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "t", version: "1" } };
      send({ id: 0, method: "initialize", params });
      await next(({ id }) => id === 0);
      send({ method: "notifications/initialized" });
    },
  };
}

export async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}
