/** How large V8 makes the objects that Node has for each request. */
import { createServer } from "node:http";
import { Duplex } from "node:stream";

/** So many objects of a class are looked at. */
const looked = 7;

/**
 * From the first seven objects of a class V8 learns how many fields an object needs room for. A pause behind the sixth, in which it collects
 * what no object uses any more, makes it forget the fields it has seen: the seventh is still empty, so from then on none gets room, and each
 * request makes nearly twice the garbage for as long as the process lives. So they are made here, on a connection that is none.
 */
export function settleShapes(): void {
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(200, { "content-type": "application/json" });
    outgoing.end("{}");
    if (++answered > looked) connection.destroy();
  });
  let answered = 0;
  const connection = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  server.emit("connection", connection);
  for (let count = 0; count <= looked; count++)
    connection.push("POST / HTTP/1.1\r\nhost: toolgate\r\ncontent-length: 2\r\n\r\n{}");
}
