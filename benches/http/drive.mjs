// A client that costs as little as possible: keep-alive connections, one request at a time on each, answers only counted.

import { connect } from "node:net";

/** Sends `total` requests over `connections` sockets. Every answer must have this status. */
export async function createClient({ port, request, connections, status = 200 }) {
  const bytes = Buffer.from(request);
  const expected = Buffer.from(`HTTP/1.1 ${status} `);
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  let left = 0;
  let running = 0;
  let finish = () => {};
  let fail = () => {};
  for (const socket of sockets) {
    let missing = 0;
    let head = Buffer.alloc(0);
    const next = () => {
      if (left > 0) {
        left--;
        socket.write(bytes);
      } else if (--running === 0) finish();
    };
    socket.next = next;
    socket.on("data", (chunk) => {
      let rest = chunk;
      if (missing === 0) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const end = head.indexOf("\r\n\r\n");
        if (end === -1) return;
        if (!head.subarray(0, expected.length).equals(expected))
          return fail(new Error(`Answered: ${head.toString("latin1").slice(0, 400)}`));
        const length = Number(/content-length: (\d+)/i.exec(head.toString("latin1", 0, end))?.[1]);
        rest = head.subarray(end + 4);
        head = Buffer.alloc(0);
        missing = length;
      }
      missing -= rest.length;
      if (missing === 0) next();
    });
    socket.on("error", (error) => fail(error));
  }
  return {
    run(total) {
      return new Promise((resolve, reject) => {
        finish = resolve;
        fail = reject;
        left = total;
        running = sockets.length;
        for (const socket of sockets) socket.next();
      });
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function open(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    socket.once("connect", () => resolve(socket));
    socket.once("error", reject);
  });
}
