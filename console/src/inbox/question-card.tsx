/** The whole of one question: what would run, why it asks, what came before, and the answers. */
import { type RefObject, useState } from "react";
import type { Approval, ApprovalPreview } from "toolgate/contract";
import { Link } from "wouter";
import { useExplanation } from "../api/use-explanation.ts";
import { Explained } from "../parts/explained.tsx";
import { Icon } from "../parts/icons.tsx";
import { RuleName } from "../parts/rule-name.tsx";
import { Shown } from "../parts/shown.tsx";
import { Ago } from "../parts/time.tsx";
import { Past } from "./past.tsx";
import { type Danger, isWaiting } from "./question.ts";
import { TimeLeft } from "./time-left.tsx";
import { WhatRuns } from "./what-runs.tsx";

export interface QuestionCardProps {
  readonly approval: Approval;
  readonly preview: ApprovalPreview | undefined;
  readonly danger: Danger;
  readonly permission: string | undefined;
  readonly headRef: RefObject<HTMLDivElement | null>;
  readonly onOpened: () => void;
}

export function QuestionCard({
  approval,
  preview,
  danger,
  permission,
  headRef,
  onOpened,
}: QuestionCardProps) {
  const { tool, caller, agent, sessionId, reason, rule, createdAt } = approval;
  return (
    <>
      <div className="question-head" ref={headRef}>
        <div className="asks">
          <span className={danger === "high" ? "danger-word high" : "danger-word"}>
            <Icon name={danger === "high" ? "warn" : "ask"} />
            {danger === "high" ? "dangerous" : "asks"}
          </span>
          <h2>
            <Shown line text={tool} />
          </h2>
          {permission !== undefined && <span className="quiet">{permission}</span>}
          <span className="grow" />
          {isWaiting(approval) && <TimeLeft approval={approval} />}
        </div>
        <p className="quiet">
          <Shown line text={caller} />
          {agent !== undefined && (
            <>
              {" "}
              (<Shown line text={agent.name} />)
            </>
          )}{" "}
          asked <Ago at={createdAt} />
          {sessionId !== undefined && (
            <>
              {" "}
              in session{" "}
              <Link href={`/ledger?q=${encodeURIComponent(`session:${sessionId}`)}`}>
                <Shown line text={sessionId} />
              </Link>
            </>
          )}
        </p>
      </div>
      <WhatRuns approval={approval} preview={preview?.call} onOpened={onOpened} />
      {danger === "high" && (preview?.call.why.length ?? 0) > 0 && (
        <ul className="dangers">
          {preview?.call.why.map((why) => (
            <li key={why}>
              <Icon name="warn" /> <Shown text={why} />
            </li>
          ))}
        </ul>
      )}
      <div className="part">
        <h3>Asked because</h3>
        <p>
          <Shown text={reason} />
        </p>
        {rule !== undefined && (
          <p className="quiet">
            <RuleName rule={rule} />
          </p>
        )}
        <Walk approval={approval} />
      </div>
      {preview !== undefined && <Past preview={preview} />}
      <details>
        <summary>Identity of the call</summary>
        <dl className="facts mono">
          <dt>approval</dt>
          <dd>{approval.id}</dd>
          <dt>call</dt>
          <dd>{approval.callId}</dd>
          <dt>input</dt>
          <dd>{approval.inputHash}</dd>
          <dt>definition</dt>
          <dd>{approval.definitionHash}</dd>
          <dt>project</dt>
          <dd>
            <Shown line text={approval.project} />
          </dd>
        </dl>
      </details>
    </>
  );
}

/** Asked for only when somebody wants to see it. */
function Walk({ approval }: { readonly approval: Approval }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What the rules say now</summary>
      {isOpen && <Explains approval={approval} />}
    </details>
  );
}

function Explains({ approval }: { readonly approval: Approval }) {
  const said = useExplanation(approval.tool, approval.input, approval.sessionId);
  return said.data === undefined ? (
    <p className="quiet">Asking the rules…</p>
  ) : (
    <Explained said={said.data} isOpen />
  );
}
