// The model that everybody asks, in a process of its own: chat completions that call a tool so many times and then say a text.

import { createServer } from "node:http";

let answers = 0;
const words = ["I ", "add ", "the ", "two ", "numbers ", "with ", "the ", "tool."];

const server = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(parts).toString("utf8"));
    answer(body, response);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
process.on("disconnect", () => process.exit(0));

/** The prompt says how many steps: `steps: 10`. Nothing is remembered between requests. */
function answer({ messages, stream }, response) {
  const asked = messages.find(({ role }) => role === "user");
  const text = typeof asked.content === "string" ? asked.content : asked.content[0].text;
  const steps = Number(/steps: (\d+)/.exec(text)[1]);
  const done = messages.filter(({ role }) => role === "tool").length;
  const call =
    done < steps
      ? {
          id: `call_${done}`,
          name: "math_add",
          arguments: `{"a":${done},"b":2,"note":"the sum of two small numbers"}`,
        }
      : undefined;
  // Some loops take an answer with an id that they know for the same answer again.
  const id = `message_${++answers}`;
  if (stream) streamed(id, call, response);
  else whole(id, call, response);
}

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

function streamed(id, call, response) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const write = (delta, finish_reason = null) =>
    response.write(event(id, { choices: [{ index: 0, delta, finish_reason }] }));
  write({ role: "assistant", content: "" });
  for (const content of words) write({ content });
  if (call !== undefined) {
    const { name, arguments: text } = call;
    const piece = (fn, more = {}) => write({ tool_calls: [{ index: 0, ...more, function: fn }] });
    piece({ name, arguments: "" }, { id: call.id, type: "function" });
    piece({ arguments: text.slice(0, 20) });
    piece({ arguments: text.slice(20) });
  }
  write({}, call === undefined ? "stop" : "tool_calls");
  response.write(event(id, { choices: [], usage }));
  response.end("data: [DONE]\n\n");
}

function event(id, data) {
  return `data: ${JSON.stringify({ id, object: "chat.completion.chunk", created: 0, model: "bench", ...data })}\n\n`;
}

function whole(id, call, response) {
  const calls =
    call === undefined
      ? undefined
      : [{ id: call.id, type: "function", function: { name: call.name, arguments: call.arguments } }];
  const message = { role: "assistant", content: words.join(""), ...(calls && { tool_calls: calls }) };
  const choices = [{ index: 0, message, finish_reason: calls ? "tool_calls" : "stop" }];
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ id, object: "chat.completion", created: 0, model: "bench", choices, usage }));
}
