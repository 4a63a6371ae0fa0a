/**
 * Part of our plugins, which run inside of agents: one process of the hook for all calls (`hook.cjs AGENT
 * --stay`), started with the first of them, and again when it has ended. What it does not answer in time, and
 * what it was asked when it died, is denied.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { PluginValues } from "./plugin-values.ts";

export type ResidentAnswer =
  | { readonly ok: true; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  | { readonly ok: false; readonly reason: string };

export interface Resident {
  /** Never rejects. `call`: what the adapter of the agent reads. */
  ask(call: object): Promise<ResidentAnswer>;
  /** So that the first call need not wait for it. */
  warmUp(): void;
}

export interface Patience {
  /** Without any line while a call is open. The process says every two seconds that it is there. */
  readonly silenceMs: number;
}

export function createResident(
  values: PluginValues,
  { silenceMs }: Patience = { silenceMs: 20_000 },
): Resident {
  let running: Running | undefined;
  const start = (): Running => {
    const now = run(values, silenceMs, () => {
      if (running === now) running = undefined;
    });
    return now;
  };
  return {
    warmUp() {
      running ??= start();
    },
    async ask(call) {
      const text = JSON.stringify(call);
      if (text.length > maxCharacters) return refuse(`it is larger than ${maxCharacters} characters`);
      running ??= start();
      return running.ask(text);
    },
  };
}

/** A line with its escapes stays below what the process takes. */
const maxCharacters = 10 * 1024 * 1024;
const maxAnswerCharacters = 64 * 1024 * 1024;
/** What the process may need besides the time that people have. */
const marginMs = 15_000;

interface Running {
  ask(text: string): Promise<ResidentAnswer>;
}

interface Open {
  readonly resolve: (answer: ResidentAnswer) => void;
  readonly deadline: ReturnType<typeof setTimeout>;
}

function run(values: PluginValues, silenceMs: number, onEnd: () => void): Running {
  const { node, hook, agent, seconds, variables } = values;
  const open = new Map<number, Open>();
  let asked = 0;
  let end: string | undefined;
  let child: ChildProcess | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  const fail = (why: string): void => {
    if (end !== undefined) return;
    end = why;
    clearTimeout(silence);
    onEnd();
    child?.kill("SIGKILL");
    for (const id of [...open.keys()]) settle(id, refuse(why));
  };
  const settle = (id: number, answer: ResidentAnswer): void => {
    const waiting = open.get(id);
    open.delete(id);
    clearTimeout(waiting?.deadline);
    waiting?.resolve(answer);
    listen();
  };
  /** Only an open call can miss something; its timer also keeps the agent alive until it is answered. */
  const listen = (): void => {
    clearTimeout(silence);
    if (open.size > 0 && end === undefined)
      silence = setTimeout(() => fail("toolgate's process does not answer"), silenceMs);
  };
  const onLine = (line: string): void => {
    listen();
    const answer = readAnswer(line);
    if (answer === undefined) fail("toolgate's process printed something else than answers");
    else if (answer.id !== undefined) settle(answer.id, answer);
  };

  try {
    const env = Object.fromEntries(
      variables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    );
    child = spawn(node, [hook, agent, "--stay", String(seconds)], {
      env,
      stdio: ["pipe", "pipe", "ignore"],
      windowsHide: true,
    });
    child.on("error", (error) => fail(`toolgate's process cannot be started (${error.message})`));
    child.on("exit", () => fail("toolgate's process has ended"));
    child.stdin?.on("error", () => fail("toolgate's process has ended"));
    cutLines(child, onLine, fail);
    // It must not keep the agent from its end; our end is its end.
    child.unref();
    for (const pipe of [child.stdin, child.stdout]) (pipe as { unref?: () => void } | null)?.unref?.();
  } catch (error) {
    fail(`toolgate's process cannot be started (${String(error)})`);
  }

  return {
    ask: (text) =>
      new Promise((resolve) => {
        if (end !== undefined) return resolve(refuse(end));
        asked += 1;
        const id = asked;
        const deadline = setTimeout(
          () => settle(id, refuse("nobody answered in time")),
          seconds * 1_000 + marginMs,
        );
        open.set(id, { resolve, deadline });
        listen();
        child?.stdin?.write(`${JSON.stringify({ id, call: text })}\n`);
      }),
  };
}

function cutLines(child: ChildProcess, onLine: (line: string) => void, fail: (why: string) => void): void {
  let held = "";
  child.stdout?.setEncoding("utf8");
  child.stdout?.on("data", (chunk: string) => {
    const lines = `${held}${chunk}`.split("\n");
    held = lines.pop() ?? "";
    for (const line of lines) onLine(line);
    if (held.length > maxAnswerCharacters) fail("toolgate's process printed too much");
  });
}

/** Undefined: it is none. Without an id it only says that somebody works. */
function readAnswer(
  line: string,
): { id?: undefined } | (ResidentAnswer & { readonly ok: true; readonly id: number }) | undefined {
  try {
    const { id, exitCode, stdout, stderr, ...rest } = JSON.parse(line);
    if (Object.keys(rest).length > 0) return undefined;
    if (id === undefined) return {};
    const isWhole =
      typeof id === "number" &&
      typeof exitCode === "number" &&
      typeof stdout === "string" &&
      typeof stderr === "string";
    return isWhole ? { ok: true, id, exitCode, stdout, stderr } : undefined;
  } catch {
    return undefined;
  }
}

function refuse(why: string): ResidentAnswer {
  return { ok: false, reason: `The call could not be checked, so it is denied: ${why}.` };
}
