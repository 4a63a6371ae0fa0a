/** Where one stands without a token: how to get a link, and a place for a token of the team. */
import { type FormEvent, useState } from "react";
import { Icon } from "../parts/icons.tsx";

export interface LogInProps {
  readonly why: string | undefined;
  readonly onToken: (token: string) => Promise<void>;
}

export function LogIn({ why, onToken }: LogInProps) {
  const [token, setToken] = useState("");
  const [isBusy, setBusy] = useState(false);
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
            <span>{why}</span>
          </p>
        )}
        <p>On the machine where the gate runs, this opens a link that works once:</p>
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
          <button type="submit" className="primary" disabled={isBusy || token.trim() === ""}>
            Log in
          </button>
        </form>
        <p className="quiet">
          The token stays in this tab until the tab is closed.{" "}
          <code>toolgate tokens create you --rights read,approve</code> makes one.
        </p>
      </div>
    </main>
  );
}
