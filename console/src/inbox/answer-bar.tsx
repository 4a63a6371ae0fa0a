/** The answers a person can give, at the foot of the card; when there are none any more, why. */
import { useEffect, useState } from "react";
import type { Approval } from "toolgate/contract";
import { useRight } from "../api/console-context.tsx";
import { useKeyChoice } from "../app/key-choice.ts";
import { Icon } from "../parts/icons.tsx";
import { Shown } from "../parts/shown.tsx";
import { useTick } from "../parts/time.tsx";
import type { Held } from "./held-answers.tsx";
import { endOf, isWaiting } from "./question.ts";
import { useTimeLeft } from "./time-left.tsx";

export type Wish = "once" | "session" | "edit" | "deny" | "lasting";

export interface AnswerBarProps {
  readonly approval: Approval;
  readonly isArmed: boolean;
  readonly isWhole: boolean;
  readonly held: Held | undefined;
  /** A dangerous one was asked for, and waits for the second key. */
  readonly sure: Wish | undefined;
  readonly onWish: (wish: Wish) => void;
  readonly onSure: () => void;
  readonly onUndo: () => void;
}

export function AnswerBar(props: AnswerBarProps) {
  const { approval, isArmed, isWhole, held, sure, onWish, onSure, onUndo } = props;
  const mayApprove = useRight("approve");
  const [keys] = useKeyChoice();
  const left = useTimeLeft(approval);
  if (held !== undefined) return <HeldBar held={held} onUndo={onUndo} />;
  if (!isWaiting(approval)) return <Over text={endOf(approval)} />;
  if (left <= 0) return <Over text="The time is over. The agent is told that nobody answered." />;
  if (!mayApprove)
    return <Over text="Your token may look, not answer. Log in with one that has the right approve." />;
  const canYes = isArmed && isWhole;
  const key = (letter: string) => keys && <kbd>{letter}</kbd>;
  if (sure !== undefined) return <Sure wish={sure} onSure={onSure} />;
  return (
    <div className="answer-bar" role="toolbar" aria-label="Answers">
      <button type="button" className="primary" disabled={!canYes} onClick={() => onWish("once")}>
        Approve once {key("a")}
      </button>
      {approval.sessionId !== undefined && (
        <button type="button" disabled={!canYes} onClick={() => onWish("session")}>
          For this session {key("s")}
        </button>
      )}
      <button
        type="button"
        disabled={!isArmed || approval.redactions > 0}
        onClick={() => onWish("edit")}
        title={
          approval.redactions > 0
            ? "Secrets were taken out of what you see, so it cannot be edited here."
            : undefined
        }
      >
        Edit {key("e")}
      </button>
      <button type="button" className="danger" disabled={!isArmed} onClick={() => onWish("deny")}>
        Deny {key("d")}
      </button>
      <button type="button" className="link" disabled={!canYes} onClick={() => onWish("lasting")}>
        Always…
      </button>
      {!isWhole && <span className="quiet">Open all of it before you approve.</span>}
    </div>
  );
}

function Over({ text }: { readonly text: string }) {
  return (
    <div className="answer-bar over" role="status">
      <Icon name="dash" />{" "}
      <span>
        <Shown text={text} />
      </span>
    </div>
  );
}

function Sure({ wish, onSure }: { readonly wish: Wish; readonly onSure: () => void }) {
  const [keys] = useKeyChoice();
  const [isReady, setReady] = useState(false);
  // A double click is one decision, not two.
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), 400);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="answer-bar sure" role="alert">
      <Icon name="warn" />
      <span>
        This one is dangerous. {wish === "session" ? "Approve it for the whole session?" : "Approve it?"}
      </span>
      <button type="button" className="primary" disabled={!isReady} onClick={onSure}>
        Yes, approve {keys && <kbd>y</kbd>}
      </button>
    </div>
  );
}

function HeldBar({ held, onUndo }: { readonly held: Held; readonly onUndo: () => void }) {
  useTick(250);
  const [keys] = useKeyChoice();
  const seconds = Math.max(0, Math.ceil((held.sendsAt - Date.now()) / 1_000));
  const word = held.body.decision === "approve" ? "Approving" : "Denying";
  return (
    <div className="answer-bar held" role="status">
      <span>{held.isSending || seconds === 0 ? `${word}…` : `${word} in ${seconds} s`}</span>
      {!held.isSending && (
        <button type="button" onClick={onUndo}>
          Undo {keys && <kbd>u</kbd>}
        </button>
      )}
    </div>
  );
}
