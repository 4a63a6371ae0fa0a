/** Takes a number of bytes from a socket, each time within a time; rejects when they do not come. */
import type { Socket } from "node:net";

export interface ByteReader {
  take(bytes: number, withinMs: number): Promise<Buffer>;
}

export function createByteReader(socket: Socket): ByteReader {
  let held: Buffer = Buffer.alloc(0);
  let end: Error | undefined;
  let wake = (): void => {};
  socket.on("data", (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    wake();
  });
  const finish = (error: Error): void => {
    end ??= error;
    wake();
  };
  socket.on("error", finish);
  socket.on("close", () => finish(new Error("the connection is closed")));
  return {
    async take(bytes, withinMs) {
      const timer = setTimeout(() => finish(new Error("nothing came in time")), Math.max(0, withinMs));
      try {
        while (held.length < bytes) {
          if (end !== undefined) throw end;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        clearTimeout(timer);
      }
      const taken = held.subarray(0, bytes);
      held = held.subarray(bytes);
      return taken;
    },
  };
}
