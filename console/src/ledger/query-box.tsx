/** The query as text, with what its tokens can be. It is asked when one presses Enter or leaves the box. */
import { type FormEvent, useEffect, useState } from "react";
import { plural } from "../parts/numbers.ts";
import type { LedgerQuery } from "./read-query.ts";

const examples = ["verdict:deny", "verdict:ask", "tool:shell.*", "since:2h", "since:24h", "kind:note"];

export interface QueryBoxProps {
  readonly text: string;
  readonly query: LedgerQuery;
  readonly onChange: (text: string) => void;
}

export function QueryBox({ text, query, onChange }: QueryBoxProps) {
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onChange(typed.trim());
  };
  return (
    <form className="query grow" onSubmit={send}>
      <input
        type="search"
        className="mono"
        aria-label="Query"
        list="ledger-tokens"
        spellCheck={false}
        autoComplete="off"
        placeholder='tool:shell.* verdict:deny by:alice since:2h text:"force"'
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => typed.trim() !== text && onChange(typed.trim())}
      />
      <datalist id="ledger-tokens">
        {examples.map((token) => (
          <option key={token} value={typed === "" ? token : `${typed.trim()} ${token}`} />
        ))}
      </datalist>
      {query.unknown.length > 0 && (
        <p className="opaque small">
          {plural(query.unknown.length, "token means", "tokens mean")} nothing: {query.unknown.join(" ")}
        </p>
      )}
    </form>
  );
}
