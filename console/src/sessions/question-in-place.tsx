/** A question of the session, where it was asked: who answered it, or the way to answer it now. */
import type { Approval, SessionItemData } from "toolgate/contract";
import { Link } from "wouter";
import { useRead } from "../api/use-read.ts";
import { endOf, isWaiting, summaryOf } from "../inbox/question.ts";
import { TimeLeft } from "../inbox/time-left.tsx";
import { Icon } from "../parts/icons.tsx";
import { Shown } from "../parts/shown.tsx";

export interface QuestionInPlaceProps {
  readonly asked: SessionItemData["approval"];
  readonly answer: SessionItemData["approval"] | undefined;
}

export function QuestionInPlace({ asked, answer }: QuestionInPlaceProps) {
  const { id, state } = asked;
  // Each state is an item of its own; the question is shown once, as it is now.
  const isFirst = state === "asked";
  const { data } = useRead<Approval>(`api/approvals/${encodeURIComponent(id)}`, { enabled: isFirst });
  if (!isFirst) return null;
  const waits = answer === undefined && (data === undefined || isWaiting(data));
  return (
    <div className={waits ? "question-in-place waits" : "question-in-place"}>
      <p className="line">
        <Icon name="ask" />
        <span className="mono cut grow">
          <Shown line text={data === undefined ? asked.tool : summaryOf(data).slice(0, 300)} />
        </span>
        {waits && data !== undefined && <TimeLeft approval={data} />}
      </p>
      <p className="quiet">
        <Shown text={waits ? (asked.reason ?? "") : endText(answer, data)} />
      </p>
      {waits && (
        <Link className="button" href={`/inbox/${encodeURIComponent(id)}`}>
          Look and answer
        </Link>
      )}
    </div>
  );
}

function endText(answer: SessionItemData["approval"] | undefined, approval: Approval | undefined): string {
  if (answer === undefined) return approval === undefined ? "" : endOf(approval);
  const { state, by, reason } = answer;
  if (state === "expired") return "Nobody answered in time.";
  if (state === "withdrawn") return "Withdrawn before anybody answered.";
  return `${state === "approved" ? "Approved" : "Denied"} by ${by ?? "somebody"}${reason === undefined ? "" : `: “${reason}”`}.`;
}
