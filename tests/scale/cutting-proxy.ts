/** Between a store and its database, on loopback: cuts a connection right before or after a statement or all at once, and loses answers. */
import { connect, createServer, type Server, type Socket } from "node:net";

/** `before`: the database never sees it. `after`: the database has done it, and nobody hears of it. */
export type CutMode = "before" | "after";

export interface CuttingProxy {
  /** Of the database, through the proxy. */
  readonly url: string;
  /** The texts of statements that passed since the last time this was asked. */
  takeSeen(): string[];
  /** The next statement with this text; once. */
  cutAt(sql: string, mode: CutMode): void;
  /** Whether a statement was cut since `cutAt`. */
  readonly hasCut: boolean;
  /** Ends all connections; new ones go there. */
  switchTo(port: number): void;
  /** From now on no answer comes back, what was asked for is done all the same, and new connections are refused. */
  loseAnswers(): void;
  restore(): void;
  /** Cuts all that is open. */
  cut(): void;
  close(): Promise<void>;
}

/** `target`: the URL of a database. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  let port = Number(new URL(target).port);
  let isMute = false;
  let wanted: { readonly sql: string; readonly mode: CutMode } | undefined;
  let seen: string[] = [];
  let hasCut = false;
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    if (isMute) return void client.resetAndDestroy();
    const database = connect(port, "127.0.0.1");
    const both = [client, database];
    const end = () => {
      for (const socket of both) socket.destroy();
    };
    for (const socket of both) {
      sockets.add(socket.setNoDelay(true));
      socket.on("error", end).on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    let isSilent = false;
    const split = splitMessages(true, (type, message) => {
      const sql = textOf(type, message);
      if (sql !== undefined) {
        seen.push(sql);
        if (wanted?.sql === sql) {
          hasCut = true;
          if (wanted.mode === "before") end();
          else isSilent = true;
          wanted = undefined;
        }
      }
      if (!database.destroyed) database.write(message);
    });
    client.on("data", split);
    const watch = splitMessages(false, (type) => {
      // The database waits for the next statement: the last one is done, and committed if it is to be.
      if (type === "Z" && isSilent) end();
    });
    database.on("data", (bytes: Buffer) => {
      if (isSilent) watch(bytes);
      else if (!isMute) client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(target);
  url.port = String((server.address() as { readonly port: number }).port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    takeSeen() {
      const taken = seen;
      seen = [];
      return taken;
    },
    cutAt(sql, mode) {
      wanted = { sql, mode };
      hasCut = false;
    },
    get hasCut() {
      return hasCut;
    },
    switchTo(next) {
      port = next;
      cut();
    },
    loseAnswers() {
      isMute = true;
    },
    restore() {
      isMute = false;
    },
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The text of a simple query, or of one with values when it is prepared. */
function textOf(type: string, message: Buffer): string | undefined {
  if (type === "Q") return message.toString("utf8", 5, message.length - 1);
  if (type !== "P") return undefined;
  const afterName = message.indexOf(0, 5) + 1;
  return message.toString("utf8", afterName, message.indexOf(0, afterName));
}

/** A message is its type, its length and its body; the first one of a client has no type. */
export function splitMessages(isClient: boolean, take: (type: string, message: Buffer) => void) {
  let rest = Buffer.alloc(0);
  let isFirst = isClient;
  return (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = isFirst ? 0 : 1;
      if (rest.length < head + 4) return;
      const length = head + rest.readUInt32BE(head);
      if (rest.length < length) return;
      take(isFirst ? "" : String.fromCharCode(rest[0] ?? 0), rest.subarray(0, length));
      isFirst = false;
      rest = rest.subarray(length);
    }
  };
}
