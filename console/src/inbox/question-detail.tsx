/** The selected question with its answers, and the boxes that some answers open. */
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import type { AnswerBody, Approval, ApprovalPreview, Tool } from "toolgate/contract";
import { AnswerBar, type Wish } from "./answer-bar.tsx";
import { DenyBox } from "./deny-box.tsx";
import { EditBox } from "./edit-box.tsx";
import { useHeld } from "./held-answers.tsx";
import { LastingBox } from "./lasting-box.tsx";
import { dangerOf, isWaiting } from "./question.ts";
import { QuestionCard } from "./question-card.tsx";
import { useArmed } from "./use-armed.ts";
import { cutTexts } from "./what-runs.tsx";

export interface QuestionKeys {
  /** A key that was pressed in the list. True: it did something. */
  press(key: string, pressedAt: number): boolean;
}

export interface QuestionDetailProps {
  readonly approval: Approval;
  readonly preview: ApprovalPreview | undefined;
  readonly tool: Tool | undefined;
  readonly mayAnswer: boolean;
  readonly keysRef: Ref<QuestionKeys>;
  /** The focus goes back to where the keys are heard. */
  readonly onDone: () => void;
}

const sureMs = 5_000;
const wishOf: Readonly<Record<string, Wish>> = { a: "once", s: "session", e: "edit", d: "deny" };

export function QuestionDetail({ approval, preview, tool, mayAnswer, keysRef, onDone }: QuestionDetailProps) {
  const head = useRef<HTMLDivElement>(null);
  const held = useHeld();
  const own = held.held.get(approval.id);
  const [box, setBox] = useState<"edit" | "deny" | "lasting">();
  const [sure, setSure] = useState<Wish>();
  const [opened, setOpened] = useState(0);
  const danger = dangerOf(approval, preview, tool);
  // Anything that would look different starts the waiting over.
  const { isArmed, counts } = useArmed(
    head,
    JSON.stringify([
      approval.id,
      approval.inputHash,
      approval.state,
      danger,
      preview === undefined,
      own === undefined,
    ]),
  );
  const isWhole = opened >= cutTexts(approval);
  useEffect(() => {
    if (sure === undefined) return;
    const timer = setTimeout(() => setSure(undefined), sureMs);
    return () => clearTimeout(timer);
  }, [sure]);

  const give = (body: AnswerBody) => {
    setSure(undefined);
    setBox(undefined);
    held.hold(approval, body);
    onDone();
  };
  const close = () => {
    setBox(undefined);
    onDone();
  };
  const yes = (wish: Wish) => give({ decision: "approve", ...(wish === "session" && { scope: "session" }) });
  const canAnswer = mayAnswer && own === undefined && isWaiting(approval) && isArmed;
  const wants = (wish: Wish) => {
    if (!canAnswer) return;
    if (wish === "deny" || wish === "edit" || wish === "lasting") {
      if ((wish === "edit" && approval.redactions > 0) || (wish === "lasting" && !isWhole)) return;
      return setBox(wish);
    }
    if (!isWhole || (wish === "session" && approval.sessionId === undefined)) return;
    if (danger === "high") setSure(wish);
    else yes(wish);
  };
  useImperativeHandle(keysRef, () => ({
    press(key, pressedAt) {
      if (sure !== undefined) {
        if (key === "y" && canAnswer) yes(sure);
        else setSure(undefined);
        return true;
      }
      const isCounted = counts(pressedAt);
      const wish = wishOf[key];
      if (wish === undefined || !canAnswer || !isCounted) return false;
      wants(wish);
      return true;
    },
  }));
  return (
    <article className="question" aria-label={`Question: ${approval.tool}`}>
      <div className="detail">
        <QuestionCard
          approval={approval}
          preview={preview}
          danger={danger}
          permission={tool?.permission}
          headRef={head}
          onOpened={() => setOpened((before) => before + 1)}
        />
        {box === "deny" && (
          <DenyBox
            onClose={close}
            onDeny={(reason) =>
              give({ decision: "deny", ...(reason.trim() !== "" && { reason: reason.trim() }) })
            }
          />
        )}
        {box === "edit" && (
          <EditBox
            approval={approval}
            onClose={close}
            onApprove={(input) => give({ decision: "approve", input })}
          />
        )}
        {box === "lasting" && <LastingBox approval={approval} onClose={close} onApprove={give} />}
      </div>
      <AnswerBar
        approval={approval}
        isArmed={isArmed}
        isWhole={isWhole}
        held={own}
        sure={sure}
        onWish={wants}
        onSure={() => sure !== undefined && canAnswer && yes(sure)}
        onUndo={() => held.undo(approval.id)}
      />
    </article>
  );
}
