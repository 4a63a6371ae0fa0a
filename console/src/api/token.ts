/** The token of this tab. It is kept per tab and origin, never in an address, and handed to new tabs of the same origin. */

const key = "toolgate.token";
const channelName = "toolgate.token";
const askMs = 150;

export interface TokenPlace {
  read(): string | undefined;
  keep(token: string): void;
  forget(): void;
  /** Asks the other tabs, which answer at once or not at all. */
  askOthers(): Promise<string | undefined>;
}

export function createTokenPlace(): TokenPlace {
  const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(channelName);
  const read = () => sessionStorage.getItem(key) ?? undefined;
  channel?.addEventListener("message", ({ data }) => {
    const token = read();
    if (data?.type === "ask" && token !== undefined) channel.postMessage({ type: "token", token });
  });
  return {
    read,
    keep: (token) => sessionStorage.setItem(key, token),
    forget: () => sessionStorage.removeItem(key),
    askOthers: () => askThrough(channel),
  };
}

function askThrough(channel: BroadcastChannel | undefined): Promise<string | undefined> {
  if (channel === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const done = (token?: string) => {
      clearTimeout(timer);
      channel.removeEventListener("message", hear);
      resolve(token);
    };
    const hear = ({ data }: MessageEvent) => {
      if (data?.type === "token" && typeof data.token === "string") done(data.token);
    };
    const timer = setTimeout(done, askMs);
    channel.addEventListener("message", hear);
    channel.postMessage({ type: "ask" });
  });
}
