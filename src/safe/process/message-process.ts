/** A process that talks in messages which end with a zero byte, over descriptors 3 and 4: a browser. */

import type { Readable, Writable } from "node:stream";
import { killTree } from "./kill-tree.ts";
import { launchChild } from "./launch.ts";
import { endRest, watchOutput } from "./output-flow.ts";
import type { ProcessOptions, StartFailure } from "./process-types.ts";

export interface MessageOptions
  extends Pick<ProcessOptions, "command" | "args" | "cwd" | "env" | "killGraceMs"> {
  /** A longer message ends the process: it would fill our memory. */
  readonly maxMessageBytes: number;
  readonly onMessage: (text: string) => void;
}

export interface MessageProcess {
  readonly started: true;
  readonly pid: number;
  send(text: string): void;
  /** What it said on its standard error, the newest part. */
  complaints(): string;
  /** Ends the whole tree. */
  kill(): Promise<void>;
  /** When nothing of the tree is left. */
  readonly ended: Promise<void>;
}

const maxComplaints = 8_000;

export async function startMessageProcess(options: MessageOptions): Promise<MessageProcess | StartFailure> {
  const { maxMessageBytes, onMessage, ...rest } = options;
  const launched = await launchChild({ ...rest, stdin: "closed", messagePipes: true });
  if ("started" in launched) return launched;
  const { child, identity, release } = launched;
  const graceMs = options.killGraceMs ?? 2000;
  const toChild = child.stdio[3] as Writable;
  const fromChild = child.stdio[4] as Readable;
  let complaints = "";
  const flow = watchOutput(child, (chunk, stream) => {
    if (stream === "stderr") complaints = (complaints + chunk.toString("utf8")).slice(-maxComplaints);
  });
  let killing: Promise<unknown> | undefined;
  child.on("error", () => {});
  // It may end at any moment; that it did is told by `ended`.
  toChild.on("error", () => {});
  fromChild.on("error", () => {});
  readMessages(fromChild, maxMessageBytes, onMessage, () => void kill());
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const ended = exited.then(async () => {
    await endRest(identity, flow, graceMs, killing);
    toChild.destroy();
    fromChild.destroy();
    await release();
  });
  function kill(): Promise<void> {
    killing ??= killTree(identity, { graceMs });
    return ended;
  }
  return {
    started: true,
    pid: identity.pid,
    send: (text) => {
      if (toChild.writable) toChild.write(`${text}\0`);
    },
    complaints: () => complaints,
    kill,
    ended,
  };
}

function readMessages(
  from: Readable,
  maxBytes: number,
  onMessage: (text: string) => void,
  onTooLong: () => void,
): void {
  let parts: Buffer[] = [];
  let held = 0;
  from.on("data", (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const message = Buffer.concat([...parts, rest.subarray(0, end)]);
      parts = [];
      held = 0;
      rest = rest.subarray(end + 1);
      onMessage(message.toString("utf8"));
    }
    if (rest.length === 0) return;
    held += rest.length;
    if (held <= maxBytes) parts.push(rest);
    else {
      parts = [];
      from.destroy();
      onTooLong();
    }
  });
}
