/** What other rules would have said to the calls of the query: paste them, see which answers change. Nothing runs. */
import { useState } from "react";
import type { ReplayResult } from "toolgate/contract";
import { Link } from "wouter";
import { useChange } from "../api/use-read.ts";
import { count, plural } from "../parts/numbers.ts";
import { RuleName } from "../parts/rule-name.tsx";
import { Shown } from "../parts/shown.tsx";
import { Failure } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Verdict } from "../parts/verdict.tsx";
import type { LedgerQuery } from "./read-query.ts";

const start = `policies:
  no-push:
    tools: Bash
    action: deny
    conditions:
      - { type: command, operator: contains, value: "git push" }
    reason: Open a pull request.
`;

export function Replay({ query }: { readonly query: LedgerQuery }) {
  const [yaml, setYaml] = useState(start);
  const [keep, setKeep] = useState(true);
  const replay = useChange<ReplayResult>([]);
  const { kinds: _kinds, ...filter } = query.filter;
  const play = () => replay.mutate({ path: "api/replay", method: "POST", body: { yaml, keep, filter } });
  return (
    <div className="detail">
      <div className="detail-head">
        <h2>Replay with changed rules</h2>
        <p className="quiet">
          The calls of your query are decided again by these rules. Nothing runs, and nothing is saved.
        </p>
      </div>
      <div className="field">
        <label htmlFor="replay-rules">Rules</label>
        <textarea
          id="replay-rules"
          className="mono"
          rows={10}
          spellCheck={false}
          value={yaml}
          onChange={(event) => setYaml(event.target.value)}
        />
      </div>
      <label className="check">
        <input type="checkbox" checked={keep} onChange={(event) => setKeep(event.target.checked)} /> Together
        with the rules in force
      </label>
      <div className="actions">
        <button type="button" className="primary" disabled={replay.isPending} onClick={play}>
          {replay.isPending ? "Deciding…" : "Replay"}
        </button>
      </div>
      {replay.error !== null && <Failure error={replay.error} />}
      {replay.data !== undefined && <Result result={replay.data} />}
    </div>
  );
}

function Result({ result }: { readonly result: ReplayResult }) {
  const { ok, problems, calls, changed, changes, stoppedEarly, incomplete } = result;
  if (!ok)
    return (
      <ul className="failure part">
        {problems.map(({ line, message }) => (
          <li key={message}>
            {line !== undefined && `line ${line}: `}
            <Shown text={message} />
          </li>
        ))}
      </ul>
    );
  return (
    <div className="part" role="status">
      <p className="strong">
        {count(changed)} of {plural(calls, "call")} would be decided differently
        {stoppedEarly && "; there was no time for the rest"}.
      </p>
      {incomplete > 0 && (
        <p className="quiet">Of {plural(incomplete, "call")} the record is not whole, so nobody can tell.</p>
      )}
      {changes.length > 0 && (
        <Table heads={["Call", "Was", "Would be"]}>
          {changes.map(({ seq, tool, summary, before, now, rule }) => (
            <tr key={seq}>
              <td>
                <Link href={`/ledger/${seq}`} className="mono">
                  <Shown line text={summary || tool} limit={200} />
                </Link>
              </td>
              <td>
                <Verdict of={before} />
              </td>
              <td>
                <Verdict of={now} />
                {rule !== undefined && (
                  <span className="by">
                    <RuleName rule={rule} />
                  </span>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}
