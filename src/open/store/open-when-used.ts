/** Pins and tokens of a store that is opened by the first use of either. */
import type { StoreParts } from "../../core/ports/store.ts";

export function openWhenUsed(open: () => Promise<StoreParts>): StoreParts {
  let opening: Promise<StoreParts> | undefined;
  const opened = (): Promise<StoreParts> => {
    opening ??= open().catch((error) => {
      // The next use tries again.
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    pins: {
      accepted: async (key) => (await opened()).pins.accepted(key),
      seen: async (key) => (await opened()).pins.seen(key),
      acceptFirst: async (key, accepted) => (await opened()).pins.acceptFirst(key, accepted),
      change: async (key, change) => (await opened()).pins.change(key, change),
      saw: async (key, seen) => (await opened()).pins.saw(key, seen),
      forget: async (key) => (await opened()).pins.forget(key),
      askRestart: async (key) => (await opened()).pins.askRestart(key),
      restartAskedAt: async (key) => (await opened()).pins.restartAskedAt(key),
      async *changes(signal, tell) {
        yield* (await opened()).pins.changes(signal, tell);
      },
    },
    tokens: {
      list: async () => (await opened()).tokens.list(),
      change: async (change) => (await opened()).tokens.change(change),
    },
    async [Symbol.asyncDispose]() {
      await (await opening?.catch(() => undefined))?.[Symbol.asyncDispose]();
    },
  };
}
