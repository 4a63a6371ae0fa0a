// HTTP over kept-alive sockets, one request at a time on each, at a small part of what fetch costs: the client must not be what is measured.

import { connect } from "node:net";

/** Servers close a connection that nobody uses, Node's after five seconds: what comes in that moment is lost. */
const mostIdleMs = 3_000;

/** `post(head, body)` resolves with `{ status, head, text }`. `head` holds the lines after the request line, without Content-Length. */
export function createConnections({ port, connections }) {
  const idle = [];
  const queue = [];
  let opened = 0;
  let closed = false;
  const sockets = new Set();

  const send = (socket, { bytes, resolve, reject }) => {
    socket.answer = { resolve, reject };
    socket.write(bytes);
  };
  const free = (socket) => {
    const next = queue.shift();
    if (next !== undefined) return send(socket, next);
    socket.idleSince = performance.now();
    idle.push(socket);
  };
  const takeIdle = () => {
    for (let socket = idle.pop(); socket !== undefined; socket = idle.pop()) {
      if (performance.now() - socket.idleSince < mostIdleMs) return socket;
      sockets.delete(socket);
      opened--;
      socket.destroy();
    }
    return undefined;
  };
  const open = (first) => {
    opened++;
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    sockets.add(socket);
    readAnswers(socket, (answer) => {
      const { resolve } = socket.answer;
      socket.answer = undefined;
      // Taken before the next request of this turn: the same socket serves it.
      if (!/\r\nconnection: close/i.test(answer.head)) free(socket);
      else socket.end();
      resolve(answer);
    });
    const gone = (error) => {
      if (!sockets.delete(socket)) return;
      opened--;
      const at = idle.indexOf(socket);
      if (at !== -1) idle.splice(at, 1);
      socket.answer?.reject(error ?? new Error("The server closed the connection before it answered."));
    };
    socket.on("error", gone);
    socket.on("close", () => gone());
    send(socket, first);
  };
  return {
    send(method, path, head, body) {
      if (closed) return Promise.reject(new Error("Closed."));
      const bytes = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${head}${body === "" ? "" : `Content-Length: ${Buffer.byteLength(body)}\r\n`}\r\n${body}`;
      return new Promise((resolve, reject) => {
        const one = { bytes, resolve, reject };
        const socket = takeIdle();
        if (socket !== undefined) send(socket, one);
        else if (opened < connections) open(one);
        else queue.push(one);
      });
    },
    close() {
      closed = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

function readAnswers(socket, onAnswer) {
  let parts = [];
  let held = 0;
  socket.on("data", (chunk) => {
    parts.push(chunk);
    held += chunk.length;
    // A long answer is looked at when enough of it may be there, not once for each chunk.
    if (socket.needed !== undefined && held < socket.needed) return;
    const all = parts.length === 1 ? chunk : Buffer.concat(parts);
    parts = [all];
    const answer = readAnswer(all);
    socket.needed = typeof answer === "number" ? answer : undefined;
    if (typeof answer !== "object") return;
    parts = [];
    held = 0;
    onAnswer(answer);
  });
}

/** The answer, or how many bytes it will have, or undefined when that is not known yet. */
function readAnswer(bytes) {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const head = bytes.latin1Slice(0, headEnd);
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const end = headEnd + 4 + Number(length);
    return bytes.length < end ? end : { status, head, text: bytes.utf8Slice(headEnd + 4, end) };
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return { status, head, text: "" };
  const pieces = [];
  for (let at = headEnd + 4; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.latin1Slice(at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return next;
    if (size === 0) return { status, head, text: Buffer.concat(pieces).toString() };
    pieces.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
