/** Everything that was recorded of one call: what it was, how it was decided, what came back, and its place in the chain. */
import type { LedgerEntries, LedgerEntry } from "toolgate/contract";
import { useRead } from "../api/use-read.ts";
import { HowDecided } from "../parts/how-decided.tsx";
import { JsonText } from "../parts/json-text.tsx";
import { duration } from "../parts/numbers.ts";
import { RuleName } from "../parts/rule-name.tsx";
import { Shown } from "../parts/shown.tsx";
import { Failure, Waiting } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { exact } from "../parts/time.tsx";
import { Verdict } from "../parts/verdict.tsx";
import { factsOf } from "./entry.ts";

export interface RecordDetailProps {
  readonly id: string;
  /** Narrows the query to what a fact of the record says. */
  readonly onToken: (name: string, value: string) => void;
}

export function RecordDetail({ id, onToken }: RecordDetailProps) {
  const one = useRead<LedgerEntries>(`api/ledger/entries/${encodeURIComponent(id)}`);
  const callId = one.data?.entries.find((entry) => entry.callId !== undefined)?.callId;
  const isNumber = /^\d+$/.test(id);
  const all = useRead<LedgerEntries>(`api/ledger/entries/${encodeURIComponent(callId ?? id)}`, {
    enabled: isNumber && callId !== undefined,
  });
  const entries = all.data?.entries ?? one.data?.entries;
  if (entries === undefined)
    return one.error ? <Failure error={one.error} retry={() => void one.refetch()} /> : <Waiting />;
  const main =
    entries.find(({ kind }) => kind === "completion") ??
    entries.find(({ seq }) => String(seq) === id) ??
    entries[0];
  if (main === undefined) return null;
  return <Record entry={main} entries={entries} onToken={onToken} />;
}

interface RecordProps extends Pick<RecordDetailProps, "onToken"> {
  readonly entry: LedgerEntry;
  readonly entries: readonly LedgerEntry[];
}

function Record({ entry, entries, onToken }: RecordProps) {
  const { verdict, caller, session, durationMs, rule, message } = factsOf(entry);
  const { input, result, stage, approval, notes } = entry.body;
  const by =
    typeof approval === "object" && approval !== null && "by" in approval ? String(approval.by) : undefined;
  const token = (name: string, value: string) => (
    <button type="button" className="link" title="Show only these" onClick={() => onToken(name, value)}>
      <Shown line text={value} />
    </button>
  );
  return (
    <div className="detail">
      <div className="detail-head">
        <p className="actions">
          <Verdict of={verdict} /> <span className="quiet">{exact(entry.at)}</span>
        </p>
        <h2 className="mono">
          <Shown line text={entry.tool ?? entry.kind} />
        </h2>
        {message !== undefined && (
          <p>
            <Shown text={message} limit={4_000} />
          </p>
        )}
      </div>
      {typeof entry.body.verdict === "string" && (
        <HowDecided
          verdict={verdict === "failed" ? "deny" : entry.body.verdict}
          stage={typeof stage === "string" ? stage : undefined}
        />
      )}
      <dl className="facts">
        {caller !== undefined && (
          <>
            <dt>Caller</dt>
            <dd>{token("by", caller)}</dd>
          </>
        )}
        {session !== undefined && (
          <>
            <dt>Session</dt>
            <dd>{token("session", session)}</dd>
          </>
        )}
        {entry.tool !== undefined && (
          <>
            <dt>Tool</dt>
            <dd>{token("tool", entry.tool)}</dd>
          </>
        )}
        {rule !== undefined && (
          <>
            <dt>{verdict === "deny" ? "Refused by" : verdict === "ask" ? "Asked by" : "Decided by"}</dt>
            <dd>
              <RuleName rule={rule} />
            </dd>
          </>
        )}
        {by !== undefined && (
          <>
            <dt>Answered by</dt>
            <dd>
              <Shown line text={by} />
            </dd>
          </>
        )}
        {typeof entry.body.code === "string" && (
          <>
            <dt>Code</dt>
            <dd>{token("code", entry.body.code)}</dd>
          </>
        )}
        {durationMs !== undefined && (
          <>
            <dt>Took</dt>
            <dd>{duration(durationMs)}</dd>
          </>
        )}
        {typeof entry.body.cwd === "string" && (
          <>
            <dt>Folder</dt>
            <dd className="mono">
              <Shown line text={entry.body.cwd} />
            </dd>
          </>
        )}
      </dl>
      {input !== undefined && (
        <div className="part">
          <h3>Input</h3>
          <JsonText label="Input" value={input} />
        </div>
      )}
      {result !== undefined && (
        <div className="part">
          <h3>Result, its beginning</h3>
          <JsonText label="Result" value={result} />
        </div>
      )}
      {Array.isArray(notes) && (
        <div className="part">
          <h3>Notes</h3>
          <JsonText label="Notes" value={notes.join("\n")} />
        </div>
      )}
      <details>
        <summary>Its records in the chain</summary>
        <Table heads={["#No.", "Kind", "When", "Hash"]}>
          {entries.map(({ seq, kind, at, hash }) => (
            <tr key={seq}>
              <td className="number">{seq}</td>
              <td>{kind}</td>
              <td>{exact(at)}</td>
              <td className="mono hash">{hash}</td>
            </tr>
          ))}
        </Table>
        <JsonText label="The whole record" value={entry.body} />
      </details>
    </div>
  );
}
