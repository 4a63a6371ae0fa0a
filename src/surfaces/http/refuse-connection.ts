/** Answers a connection that there is no room for, whatever it was going to ask. */
import type { Socket } from "node:net";
import type { Clock } from "../../core/ports/ports.ts";
import { rawProblem } from "./bad-request.ts";

/** Closed at once, what the client has sent already would make its system throw the answer away unread. */
const lingerMs = 200;

export function refuseConnection(socket: Socket, clock: Pick<Clock, "after">): void {
  socket.on("error", () => {});
  socket.end(answer);
  const cancel = clock.after(lingerMs, () => socket.destroy());
  socket.once("close", cancel);
}

const answer = rawProblem(
  { status: 503, code: "unavailable", title: "The server has no room for another connection." },
  { "retry-after": "5" },
);
