/** A new token: its name, what it may do, how long. Its text is shown once. */
import { type FormEvent, useState } from "react";
import type { GivenToken } from "toolgate/contract";
import { useChange } from "../api/use-read.ts";
import { Copy } from "../parts/copy.tsx";
import { Failure } from "../parts/states.tsx";

const rights = ["call", "read", "approve", "admin"] as const;
const day = 86_400_000;
/** Whoever is logged in here has a token that ends: the server takes no longer ones from it. */
const spans = [
  ["30 days", 30 * day],
  ["7 days", 7 * day],
  ["1 day", day],
  ["1 hour", day / 24],
] as const;

export function NewToken() {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const [held, setHeld] = useState<readonly string[]>(["call", "read"]);
  const [span, setSpan] = useState(0);
  const give = useChange<GivenToken>(["api/tokens"]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const expiresInMs = spans[span]?.[1] ?? day;
    give.mutate({ path: "api/tokens", method: "POST", body: { name, rights: held, expiresInMs } });
  };
  if (give.data !== undefined)
    return (
      <div className="box part" role="status">
        <p>
          The token of <strong>{give.data.name}</strong>. It is shown this once; only its hash is kept.
        </p>
        <code className="command">{give.data.token}</code>
        <div className="actions">
          <Copy text={give.data.token} />{" "}
          <button
            type="button"
            onClick={() => {
              give.reset();
              setOpen(false);
              setName("");
            }}
          >
            Done
          </button>
        </div>
      </div>
    );
  if (!isOpen)
    return (
      <div className="actions">
        <button type="button" onClick={() => setOpen(true)}>
          New token
        </button>
      </div>
    );
  return (
    <form className="box part" onSubmit={send}>
      <div className="fields">
        <div className="field">
          <label htmlFor="token-name">Name</label>
          <input
            id="token-name"
            value={name}
            maxLength={64}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <div className="field">
          <label htmlFor="token-span">Ends after</label>
          <select id="token-span" value={span} onChange={(event) => setSpan(Number(event.target.value))}>
            {spans.map(([label], index) => (
              <option key={label} value={index}>
                {label}
              </option>
            ))}
          </select>
        </div>
      </div>
      <fieldset className="chips">
        <legend>It may</legend>
        {rights.map((right) => (
          <label key={right} className="check">
            <input
              type="checkbox"
              checked={held.includes(right)}
              onChange={(event) =>
                setHeld(event.target.checked ? [...held, right] : held.filter((one) => one !== right))
              }
            />{" "}
            {right}
          </label>
        ))}
      </fieldset>
      {held.includes("call") && held.includes("approve") && (
        <p className="opaque">
          A token that calls and approves could answer for other callers, never for itself.
        </p>
      )}
      {held.includes("admin") && (
        <p className="opaque">One that may give out tokens cannot last longer than yours.</p>
      )}
      {give.error !== null && <Failure error={give.error} />}
      <p className="quiet small">
        For longer: <code>toolgate tokens create</code>
      </p>
      <div className="actions">
        <button
          type="submit"
          className="primary"
          disabled={name === "" || held.length === 0 || give.isPending}
        >
          Make it
        </button>
        <button type="button" onClick={() => setOpen(false)}>
          Cancel
        </button>
      </div>
    </form>
  );
}
