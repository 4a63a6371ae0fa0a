/** One caller's share in a start: it may leave, or run out of time, while the start goes on for others. */
import { onAbort } from "../../core/run/abort.ts";
import { type RequestOptions, UpstreamError } from "./talk/connection.ts";

export function waitForStart<Started>(
  name: string,
  start: () => Promise<Started>,
  signal: RequestOptions["signal"],
  deadline: number,
): Promise<Started> {
  return new Promise((resolve, reject) => {
    let stopListening: (() => void) | undefined;
    const stop = (): void => {
      clearTimeout(timer);
      stopListening?.();
    };
    const leave = (error: UpstreamError): void => {
      stop();
      reject(error);
    };
    const timer = setTimeout(() => leave(late(name)), Math.max(1, deadline - performance.now()));
    stopListening = onAbort(signal, () => leave(cancelled(name)));
    start().finally(stop).then(resolve, reject);
  });
}

function cancelled(name: string): UpstreamError {
  return new UpstreamError("aborted", `The call of "${name}" was cancelled while it started.`);
}

function late(name: string): UpstreamError {
  return new UpstreamError(
    "timed_out",
    `The upstream server "${name}" was still starting when the time of the call was over.`,
    undefined,
    "Nothing was sent. Try again in a moment; a person can raise timeout_ms of this upstream, and see with `toolgate upstreams list` how it stands.",
  );
}
