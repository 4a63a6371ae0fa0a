/** A model that writes one word after the other and never ends, until whoever reads it leaves. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface EndlessModel extends AsyncDisposable {
  readonly url: string;
  /** Answers that are still being written. */
  readonly open: number;
}

export async function createEndlessModel(): Promise<EndlessModel> {
  let open = 0;
  const server = createServer((request, response) => {
    request.resume();
    if (request.method !== "POST") {
      response.end();
      return;
    }
    const event = (data: { readonly type: string }) =>
      response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const usage = { input_tokens: 10, output_tokens: 1 };
    const about = { id: "msg_endless", type: "message", role: "assistant", model: "claude-sonnet-4-5" };
    const message = { ...about, content: [], stop_reason: null, stop_sequence: null, usage };
    const begin = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
    event({ type: "message_start", message } as never);
    event(begin as never);
    const word = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "on and " } };
    const timer = setInterval(() => event(word as never), 50);
    open++;
    response.on("close", () => {
      clearInterval(timer);
      open--;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get open() {
      return open;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
