/** Whether anything in the ledger was changed: started here, checked by the server, shown to everybody who looks. */
import type { Verification, VerificationState } from "toolgate/contract";
import { isMissing } from "../api/problem.ts";
import { useChange, useRead } from "../api/use-read.ts";
import { Icon } from "../parts/icons.tsx";
import { count, plural } from "../parts/numbers.ts";
import { Shown } from "../parts/shown.tsx";
import { Failure, Waiting } from "../parts/states.tsx";
import { Ago } from "../parts/time.tsx";

const path = "api/ledger/verification";

export function Verify() {
  const state = useRead<VerificationState>(path, { everyMs: 1_000 });
  const start = useChange<VerificationState>([path]);
  const now = state.data;
  if (isMissing(state.error)) return <VerifyAtOnce />;
  if (now === undefined) return state.error ? <Failure error={state.error} /> : <Waiting />;
  const part = now.lastSeq === undefined || now.lastSeq === 0 ? 0 : (now.seq ?? 0) / now.lastSeq;
  return (
    <div className="detail">
      <Head />
      <div className="actions">
        <button
          type="button"
          className="primary"
          disabled={now.state === "running"}
          onClick={() => start.mutate({ path, method: "POST", body: {} })}
        >
          {now.state === "running" ? "Checking…" : "Check now"}
        </button>
        {now.state === "never" && <span className="quiet">It was not checked since the server started.</span>}
        {now.finishedAt !== undefined && (
          <span className="quiet">
            Last checked <Ago at={now.finishedAt} />
            {now.startedBy !== undefined && (
              <>
                {" "}
                by <Shown line text={now.startedBy} />
              </>
            )}
          </span>
        )}
      </div>
      {start.error !== null && <Failure error={start.error} />}
      {now.state === "running" && (
        <p>
          <progress value={part} aria-label="Checked so far" />{" "}
          <span className="number">
            {count(now.seq ?? 0)} of {count(now.lastSeq ?? 0)}
          </span>
        </p>
      )}
      {now.message !== undefined && (
        <p className="opaque">
          <Shown text={now.message} />
        </p>
      )}
      {now.result !== undefined && <Result result={now.result} />}
    </div>
  );
}

/** A gate that checks only while one waits. */
function VerifyAtOnce() {
  const check = useChange<Verification>([]);
  return (
    <div className="detail">
      <Head />
      <div className="actions">
        <button
          type="button"
          className="primary"
          disabled={check.isPending}
          onClick={() => check.mutate({ path: "api/ledger/verify" })}
        >
          {check.isPending ? "Checking…" : "Check now"}
        </button>
      </div>
      {check.error !== null && <Failure error={check.error} />}
      {check.data !== undefined && <Result result={check.data} />}
    </div>
  );
}

function Head() {
  return (
    <div className="detail-head">
      <h2>Verify the ledger</h2>
      <p className="quiet">Every record is compared with the chain and its signed checkpoints.</p>
    </div>
  );
}

function Result({ result }: { readonly result: Verification }) {
  return (
    <div className="part" role="status">
      <p className={result.ok ? "says fine" : "says refused"}>
        <Icon name={result.ok ? "yes" : "warn"} />{" "}
        {result.ok ? "Nothing was changed, removed or added." : "The ledger is not what was recorded."}
      </p>
      <dl className="facts">
        <dt>Records</dt>
        <dd>
          {count(result.rows)} ({count(result.firstSeq)} to {count(result.lastSeq)})
        </dd>
        <dt>Sealed up to</dt>
        <dd>
          {count(result.sealedSeq)} by {plural(result.checkpoints, "checkpoint")}
        </dd>
        <dt>Ledger</dt>
        <dd className="mono">
          <Shown line text={result.ledgerId} />
        </dd>
        {result.anchors?.map(({ name, seq, behind }) => (
          <div key={name} className="key-line">
            <dt>Anchor</dt>
            <dd>
              <Shown line text={name} />: up to {count(seq)}, {count(behind)} behind
            </dd>
          </div>
        ))}
      </dl>
      {result.problems.length > 0 && (
        <ul className="part">
          {result.problems.map(({ kind, seq, message }) => (
            <li key={`${kind} ${seq ?? ""} ${message}`}>
              <strong>{kind}</strong>
              {seq !== undefined && ` at ${seq}`}: <Shown text={message} />
            </li>
          ))}
        </ul>
      )}
      {!result.ok && (
        <p>
          What to do: stop what writes to the state folder, keep a copy of it, and read “When verification
          fails” in docs/operate.md.
        </p>
      )}
    </div>
  );
}
