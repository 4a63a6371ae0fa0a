/** What every view works with: the connection, the feed, and who is looking. */
import { createContext, useContext } from "react";
import type { Me } from "toolgate/contract";
import type { Connection } from "./connection.ts";
import type { Feed } from "./feed.ts";

export interface ConsoleParts {
  readonly connection: Connection;
  readonly feed: Feed;
  readonly me: Me;
  readonly logOut: () => void;
}

export const ConsoleContext = createContext<ConsoleParts | undefined>(undefined);

export function useConsole(): ConsoleParts {
  const parts = useContext(ConsoleContext);
  if (parts === undefined) throw new Error("A view is shown outside of the console.");
  return parts;
}

export function useRight(right: Me["rights"][number]): boolean {
  return useConsole().me.rights.includes(right);
}
