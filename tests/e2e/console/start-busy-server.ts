/** Starts the busy server in a process of its own, and tells it what to do. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { BusyOrder, BusyReport } from "./busy-server.ts";

export interface BusyServer {
  readonly url: string;
  link(): Promise<string>;
  work(perSecond: number): void;
  /** Makes so many calls, as fast as they go. */
  fill(calls: number): Promise<BusyReport>;
  /** Resolves when the last call has ended; questions still wait. */
  stop(): Promise<BusyReport>;
  close(): Promise<void>;
}

export async function startBusyServer(): Promise<BusyServer> {
  const child = fork(fileURLToPath(new URL("busy-server.ts", import.meta.url)), { stdio: "inherit" });
  const heard = async <Message>() => (await once(child, "message"))[0] as Message;
  const tell = (order: BusyOrder) => child.send(order);
  const { url } = await heard<{ readonly url: string }>();
  return {
    url,
    async link() {
      tell("link");
      return (await heard<{ readonly url: string }>()).url;
    },
    work: (perSecond) => void tell({ perSecond }),
    fill(calls) {
      tell({ calls });
      return heard<BusyReport>();
    },
    stop() {
      tell("stop");
      return heard<BusyReport>();
    },
    async close() {
      const over = once(child, "exit");
      child.disconnect();
      await over;
    },
  };
}
