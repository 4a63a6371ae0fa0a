// The HTTP library alone: node:http that answers one constant to everything.

import { createServer } from "node:http";

process.once("message", ({ body, headers }) => {
  const bytes = Buffer.from(body);
  const constant = ["content-type", "application/json", "content-length", String(bytes.length), ...headers];
  const server = createServer((_incoming, outgoing) => {
    outgoing.writeHead(200, constant);
    outgoing.end(bytes);
  });
  server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
});
process.on("message", (message) => {
  if (message === "cpu") process.send({ cpu: process.cpuUsage() });
});
process.on("disconnect", () => process.exit());
