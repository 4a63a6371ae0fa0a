/** How a call ended: its result as text, or why it was refused. */
import type { CallOutcome } from "toolgate/contract";
import { Link } from "wouter";
import { JsonText } from "../parts/json-text.tsx";
import { duration } from "../parts/numbers.ts";
import { RuleName } from "../parts/rule-name.tsx";
import { Shown } from "../parts/shown.tsx";
import { Verdict } from "../parts/verdict.tsx";

export function Outcome({ outcome }: { readonly outcome: CallOutcome }) {
  const { ok, error, result, durationMs, callId } = outcome;
  return (
    <div className="part" role="status">
      <p className="actions">
        <Verdict of={ok ? "allow" : error?.stage === "run" ? "failed" : "deny"} />
        <span className="quiet">{duration(durationMs)}</span>
        <Link href={`/ledger/${callId}`}>the record</Link>
      </p>
      {error !== undefined && (
        <>
          <p>
            <Shown text={error.message} />
          </p>
          <p className="quiet">
            <Shown text={error.hint} />
          </p>
          {error.rule !== undefined && (
            <p className="quiet">
              <RuleName rule={error.rule} />
            </p>
          )}
        </>
      )}
      {ok && <JsonText label="Result" value={textOf(result)} />}
    </div>
  );
}

/** Content that is no text is named, not drawn: it comes from a tool. */
function textOf({ content, structured }: CallOutcome["result"]): unknown {
  const texts = content.map((part) =>
    "text" in part && typeof part.text === "string" ? part.text : `[${part.type}]`,
  );
  return texts.length > 0 ? texts.join("\n") : (structured ?? "");
}
