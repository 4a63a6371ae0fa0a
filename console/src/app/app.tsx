/** From a link or a kept token to the console: who is looking, then the frame with its views. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { Me } from "toolgate/contract";
import { Router } from "wouter";
import { type ConnectionOptions, createConnection } from "../api/connection.ts";
import { ConsoleContext } from "../api/console-context.tsx";
import { createFeed } from "../api/feed.ts";
import { readAgainOn } from "../api/read-again.ts";
import { createServerClock } from "../api/server-clock.ts";
import { createTokenPlace } from "../api/token.ts";
import { ToastPlace } from "../parts/toasts.tsx";
import { type Entered, enter } from "./enter.ts";
import { Frame } from "./frame.tsx";
import { usePath, useQueryText } from "./location.ts";
import { LogIn } from "./log-in.tsx";

type Stand = { readonly at: "door" } | Entered;

export function App() {
  const [stand, setStand] = useState<Stand>({ at: "door" });
  const [tokens] = useState(createTokenPlace);
  const connection = useMemo(() => {
    const options: ConnectionOptions = {
      clock: createServerClock(),
      token: tokens.read,
      onUnauthorized() {
        tokens.forget();
        setStand({
          at: "outside",
          why: "Your token is not valid any more: it was revoked, or it has expired.",
        });
      },
    };
    return createConnection(options);
  }, [tokens]);
  useEffect(() => {
    void enter(connection, tokens).then(setStand);
  }, [connection, tokens]);

  if (stand.at === "door") return <div className="door" role="status" aria-label="Loading" />;
  if (stand.at === "outside")
    return (
      <LogIn
        connection={connection}
        why={stand.why}
        onToken={async (token) => {
          tokens.keep(token);
          setStand(await enter(connection, tokens));
        }}
      />
    );
  const logOut = () => {
    tokens.forget();
    setStand({ at: "outside", why: undefined });
  };
  return <Inside key={stand.me.caller} me={stand.me} connection={connection} logOut={logOut} />;
}

interface InsideProps {
  readonly me: Me;
  readonly connection: ReturnType<typeof createConnection>;
  readonly logOut: () => void;
}

function Inside({ me, connection, logOut }: InsideProps) {
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 5_000, refetchOnWindowFocus: true } } }),
  );
  const [feed, setFeed] = useState<ReturnType<typeof createFeed>>();
  useEffect(() => {
    // Tabs of one person share a stream; those of another person have their own.
    const made = createFeed(connection, `${me.caller}.${[...me.rights].sort().join("-")}`);
    setFeed(made);
    const stop = readAgainOn(made, client);
    return () => {
      stop();
      made.close();
    };
  }, [connection, client, me]);
  const parts = useMemo(() => feed && { connection, feed, me, logOut }, [connection, feed, me, logOut]);
  if (parts === undefined) return null;
  return (
    <QueryClientProvider client={client}>
      <ConsoleContext value={parts}>
        <ToastPlace>
          <Router hook={usePath} searchHook={useQueryText} hrefs={usePath.hrefs}>
            <Frame />
          </Router>
        </ToastPlace>
      </ConsoleContext>
    </QueryClientProvider>
  );
}
