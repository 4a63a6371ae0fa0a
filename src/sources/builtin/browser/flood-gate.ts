/** Bounds what a page can make its browser say: each message costs us memory and time. */

const windowMs = 10_000;
/** Nobody waits for these, so what is more is dropped. */
const chatter = {
  most: 300,
  starts: starting("Runtime.consoleAPICalled Runtime.exceptionThrown Log.entryAdded"),
};
/** Pages of people have some hundreds. These cannot be dropped, so what is more ends the browser. */
const requests = { most: 3_000, starts: starting("Network.requestWillBeSent Network.webSocketCreated") };

export type FloodVerdict = "pass" | "drop" | "end";

/** Looks at the beginning of a message, before it is parsed. */
export function createFloodGate(
  now: () => number = () => performance.now(),
): (message: string) => FloodVerdict {
  const isTooMuchChatter = createCounter(chatter, now);
  const areTooManyRequests = createCounter(requests, now);
  return (message) => {
    if (areTooManyRequests(message)) return "end";
    return isTooMuchChatter(message) ? "drop" : "pass";
  };
}

function createCounter({ most, starts }: typeof chatter, now: () => number): (message: string) => boolean {
  let current = 0;
  let count = 0;
  return (message) => {
    if (!starts.some((start) => message.startsWith(start))) return false;
    const window = Math.floor(now() / windowMs);
    if (window !== current) count = 0;
    current = window;
    count += 1;
    return count > most;
  };
}

function starting(methods: string): readonly string[] {
  return methods.split(" ").map((method) => `{"method":"${method}"`);
}
