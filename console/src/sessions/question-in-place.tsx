/** A question of the session, where it was asked: who answered it, or the way to answer it now. */
import type { Approval, SessionItemData } from "toolgate/contract";
import { Link } from "wouter";
import { useRead } from "../api/use-read.ts";
import { endOf, isWaiting, summaryOf } from "../inbox/question.ts";
import { TimeLeft } from "../inbox/time-left.tsx";
import { Icon } from "../parts/icons.tsx";
import { Shown } from "../parts/shown.tsx";

export function QuestionInPlace({ asked }: { readonly asked: SessionItemData["approval"] }) {
  const { id, state } = asked;
  // Each state is an item of its own; the question is shown once, as it is now.
  const isFirst = state === "asked";
  const { data } = useRead<Approval>(`api/approvals/${encodeURIComponent(id)}`, {
    enabled: isFirst,
    everyMs: 2_000,
  });
  if (!isFirst || data === undefined) return null;
  const waits = isWaiting(data);
  return (
    <div className={waits ? "question-in-place waits" : "question-in-place"}>
      <p className="line">
        <Icon name="ask" />
        <span className="mono cut grow">
          <Shown line text={summaryOf(data).slice(0, 300)} />
        </span>
        {waits && <TimeLeft approval={data} />}
      </p>
      <p className="quiet">{waits ? <Shown text={data.reason} /> : <Shown text={endOf(data)} />}</p>
      {waits && (
        <Link className="button" href={`/inbox/${encodeURIComponent(id)}`}>
          Look and answer
        </Link>
      )}
    </div>
  );
}
