/** A model in a process of its own that says the time: what its words took to arrive can be seen in them. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const ticks = Number(process.argv[2] ?? 100);
const everyMs = Number(process.argv[3] ?? 20);
const steps = Number(process.argv[4] ?? 3);

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (chunk: string) => {
    body += chunk;
  });
  request.on("end", () => void answer(body, response));
});

async function answer(body: string, response: ServerResponse): Promise<void> {
  const done = body.split('"tool_result"').length - 1;
  const say = (event: string, data: object) =>
    response.write(`event: ${event}\ndata: ${JSON.stringify({ type: event, ...data })}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream" });
  say("message_start", {
    message: {
      id: `m${done}`,
      type: "message",
      role: "assistant",
      content: [],
      model: "ticking",
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  });
  say("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
  for (let tick = 0; tick < ticks && !response.destroyed; tick++) {
    say("content_block_delta", { index: 0, delta: { type: "text_delta", text: `${Date.now()};` } });
    await sleep(everyMs);
  }
  say("content_block_stop", { index: 0 });
  const isLast = done >= steps;
  if (!isLast) {
    say("content_block_start", {
      index: 1,
      content_block: { type: "tool_use", id: `t${done}`, name: "fs_list", input: {} },
    });
    say("content_block_delta", {
      index: 1,
      delta: { type: "input_json_delta", partial_json: '{"path":"."}' },
    });
    say("content_block_stop", { index: 1 });
  }
  say("message_delta", {
    delta: { stop_reason: isLast ? "end_turn" : "tool_use" },
    usage: { output_tokens: ticks },
  });
  say("message_stop", {});
  response.end();
}

server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
