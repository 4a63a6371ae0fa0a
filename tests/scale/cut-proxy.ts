/** Stands between a store and its database, and loses answers: what was asked for is done, and nobody hears of it. */
import { connect, createServer, type Socket } from "node:net";

export interface CutProxy {
  /** Of the database, through the proxy. */
  readonly url: string;
  /** From now on no answer comes back, and connections that are new are refused. */
  loseAnswers(): void;
  /** Cuts all that is open. */
  cut(): void;
  restore(): void;
  close(): void;
}

export async function startCutProxy(target: string): Promise<CutProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isMute = false;
  const server = createServer((client) => {
    if (isMute) return void client.resetAndDestroy();
    const database = connect(Number(port), hostname);
    const pair = [client, database] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    client.on("data", (bytes) => database.write(bytes));
    database.on("data", (bytes) => {
      if (!isMute) client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(target);
  url.port = String((server.address() as { readonly port: number }).port);
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  return {
    url: url.href,
    loseAnswers() {
      isMute = true;
    },
    cut,
    restore() {
      isMute = false;
    },
    close() {
      cut();
      server.close();
    },
  };
}
