/** One question in the list: what would run, who asks, by which rule, how much time is left. */
import type { Approval } from "toolgate/contract";
import { Icon } from "../parts/icons.tsx";
import { Shown } from "../parts/shown.tsx";
import { type Danger, isWaiting, summaryOf } from "./question.ts";
import { TimeLeft } from "./time-left.tsx";

export interface QuestionRowProps {
  readonly approval: Approval;
  readonly danger: Danger;
  readonly isChosen: boolean;
  readonly holding: string | undefined;
}

export function QuestionRow({ approval, danger, isChosen, holding }: QuestionRowProps) {
  const { tool, caller, rule, agent } = approval;
  const waits = isWaiting(approval);
  return (
    <>
      <span className="line">
        {isChosen && (
          <span className="chosen">
            <Icon name="yes" />
            <span className="unseen-word">chosen</span>
          </span>
        )}
        {waits && danger === "high" && (
          <span className="danger-mark" title="Dangerous: approving takes a second key">
            <Icon name="warn" />
            <span className="unseen-word">dangerous</span>
          </span>
        )}
        <span className={waits ? "cut mono grow" : "cut mono grow quiet"}>
          <Shown line text={summaryOf(approval).slice(0, 200)} />
        </span>
        {holding !== undefined ? (
          <span className="time-left">{holding}</span>
        ) : waits ? (
          <TimeLeft approval={approval} />
        ) : (
          <span className="quiet">{endWord(approval)}</span>
        )}
      </span>
      <span className="line small quiet">
        <span className="cut">
          <Shown
            line
            text={`${tool} · ${agent?.name ?? caller}${rule === undefined ? "" : ` · ${rule.name}`}`}
          />
        </span>
      </span>
    </>
  );
}

function endWord({ answer, state }: Approval): string {
  if (answer !== undefined) return answer.decision === "approve" ? "approved" : "denied";
  return state === "expired" ? "expired" : "withdrawn";
}
