/** Where one stands without a token: signing in where a team does, how to get a link, and a place for a token. */
import { type FormEvent, useEffect, useState } from "react";
import type { LoginWays } from "toolgate/contract";
import type { Connection } from "../api/connection.ts";
import { Icon } from "../parts/icons.tsx";
import { Prose } from "../parts/prose.tsx";
import { beginSignIn, explainSignIn } from "./sign-in.ts";

export interface LogInProps {
  readonly connection: Connection;
  readonly why: string | undefined;
  readonly onToken: (token: string) => Promise<void>;
}

export function LogIn({ connection, why: said, onToken }: LogInProps) {
  const [token, setToken] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const host = useIssuer(connection);
  const why = refused ?? said;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    await onToken(token.trim());
    setBusy(false);
  };
  return (
    <main className="log-in">
      <div className="log-in-box">
        <h1>toolgate</h1>
        {why !== undefined && (
          <p className="failure" role="alert">
            <Icon name="warn" />
            <span>
              <Prose text={why} />
            </span>
          </p>
        )}
        {host !== undefined && <SignIn host={host} connection={connection} onRefused={setRefused} />}
        <p>
          {host === undefined ? "On" : "Or, on"} the machine where the gate runs, this opens a link that works
          once:
        </p>
        <code className="command">toolgate console</code>
        <form onSubmit={(event) => void send(event)}>
          <label htmlFor="token">Or paste a token</label>
          <input
            id="token"
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
          <button
            type="submit"
            className={host === undefined ? "primary" : ""}
            disabled={isBusy || token.trim() === ""}
          >
            Log in
          </button>
        </form>
        <p className="quiet">
          The token stays in this tab until the tab is closed.{" "}
          <code>
            toolgate tokens create you <span className="keep">--rights</span> read,approve
          </code>{" "}
          makes one.
        </p>
      </div>
    </main>
  );
}

/** Undefined: nobody signs in here, or it is not known yet. */
function useIssuer(connection: Connection): string | undefined {
  const [host, setHost] = useState<string>();
  useEffect(() => {
    // Whatever is wrong with the server, the other ways in say it.
    connection.request<LoginWays>("api/console/login").then(
      ({ oidc }) => setHost(oidc?.host),
      () => {},
    );
  }, [connection]);
  return host;
}

interface SignInProps {
  readonly host: string;
  readonly connection: Connection;
  readonly onRefused: (why: string | undefined) => void;
}

function SignIn({ host, connection, onRefused }: SignInProps) {
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => {
    // The browser's way back may bring this page as it was left.
    const arrive = () => setLeaving(false);
    addEventListener("pageshow", arrive);
    return () => removeEventListener("pageshow", arrive);
  }, []);
  const begin = async () => {
    onRefused(undefined);
    setLeaving(true);
    try {
      await beginSignIn(connection);
    } catch (error) {
      setLeaving(false);
      onRefused(explainSignIn(error));
    }
  };
  return (
    <button type="button" className="primary" disabled={isLeaving} onClick={() => void begin()}>
      {isLeaving ? `Going to ${host}…` : `Sign in with ${host}`}
    </button>
  );
}
