/** A socket that only processes of the same user reach, who also know a word; for programs that we have started. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LineReader } from "../../core/text/line-reader.ts";

export interface LocalSocket {
  /** The program that passes its input on to the socket and back, and says the word first. */
  readonly relay: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: readonly { readonly name: string; readonly value: string }[];
  };
  close(): Promise<void>;
}

export interface LocalClient {
  /** Every line that it sends, without the word. */
  readonly onLine: (line: string) => void;
  readonly onClose: () => void;
}

const maxLineBytes = 32 * 1024 * 1024;
const maxWordBytes = 200;

const relay =
  'const s=require("node:net").connect(process.argv[1]);s.write(process.env.GATE_WORD+"\\n");' +
  'process.stdin.pipe(s);s.pipe(process.stdout);s.on("error",()=>process.exit(1));s.on("close",()=>process.exit(0))';

/** `accept` gets how to send a line and how to hang up. */
export async function listenLocally(
  accept: (send: (line: string) => void, end: () => void) => LocalClient,
): Promise<LocalSocket> {
  const folder = process.platform === "win32" ? undefined : mkdtempSync(join(tmpdir(), "toolgate-"));
  const name = randomBytes(9).toString("hex");
  const path = folder === undefined ? `\\\\.\\pipe\\toolgate-${name}` : join(folder, "gate");
  const word = randomBytes(24).toString("base64url");
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    greet(socket, word, accept);
  });
  await listening(server, path);
  server.unref();
  return {
    relay: {
      command: process.execPath,
      args: ["-e", relay, path],
      env: [{ name: "GATE_WORD", value: word }],
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function greet(socket: Socket, word: string, accept: Parameters<typeof listenLocally>[0]): void {
  let client: LocalClient | undefined;
  const reader = new LineReader(maxLineBytes, {
    line(line) {
      if (client !== undefined) client.onLine(line);
      else if (line === word)
        client = accept(
          (text) => void socket.write(text),
          () => socket.destroy(),
        );
      else socket.destroy();
    },
    tooLong: () => socket.destroy(),
  });
  let greeted = 0;
  socket.on("data", (chunk) => {
    // Nobody who does not know the word fills our memory.
    greeted += client === undefined ? chunk.length : 0;
    if (client === undefined && greeted > maxWordBytes + maxLineBytes / 16) socket.destroy();
    else reader.take(chunk);
  });
  socket.on("close", () => client?.onClose());
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
