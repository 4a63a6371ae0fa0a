/** What came before the question: the session's last calls, and how the like was answered. */

import type { ApprovalPreview, PastAnswers } from "toolgate/contract";
import { Link } from "wouter";
import { plural } from "../parts/numbers.ts";
import { Shown } from "../parts/shown.tsx";
import { Ago } from "../parts/time.tsx";
import { Verdict } from "../parts/verdict.tsx";

export function Past({ preview }: { readonly preview: ApprovalPreview }) {
  const { lastCalls, like } = preview;
  return (
    <>
      {lastCalls.length > 0 && (
        <div className="part">
          <h3>Before this, in the same session</h3>
          <ol className="past-calls">
            {lastCalls.slice(0, 5).map((call) => (
              <li key={call.seq}>
                <Verdict of={call.verdict === "allow" && !call.ok ? "failed" : call.verdict} />
                <Link className="cut mono" href={`/ledger/${call.seq}`}>
                  <Shown line text={nameOf(call)} limit={300} />
                </Link>
                <Ago at={call.at} />
              </li>
            ))}
          </ol>
        </div>
      )}
      {(isAnswered(like.rule) || isAnswered(like.program?.answers)) && (
        <div className="part">
          <h3>How the like was answered</h3>
          {isAnswered(like.rule) && <Answers about="This rule" answers={like.rule} />}
          {like.program !== undefined && <Answers about={like.program.name} answers={like.program.answers} />}
        </div>
      )}
    </>
  );
}

function Answers({ about, answers }: { readonly about: string; readonly answers: PastAnswers }) {
  const { asked, approved, denied, expired, latest } = answers;
  const no = latest.find(({ decision, reason }) => decision === "deny" && reason !== undefined);
  return (
    <p>
      <strong>
        <Shown line text={about} />
      </strong>{" "}
      asked {plural(asked, "time")}: {approved} yes, {denied} no
      {expired > 0 && `, ${expired} unanswered`}
      {no?.reason !== undefined && (
        <>
          {" "}
          (“
          <Shown line text={no.reason} limit={200} />”{" "}
          <span className="quiet">
            by <Shown line text={no.by} />
          </span>
          )
        </>
      )}
      {latest[0] !== undefined && (
        <span className="quiet">
          {" "}
          · last <Ago at={latest[0].at} />
        </span>
      )}
    </p>
  );
}

/** A command speaks for itself; a path alone does not say what was done with it. */
function nameOf({ tool, summary }: ApprovalPreview["lastCalls"][number]): string {
  return tool.startsWith("shell.") || summary.startsWith(tool) ? summary : `${tool} ${summary}`;
}

function isAnswered(answers: PastAnswers | undefined): boolean {
  return answers !== undefined && answers.approved + answers.denied + answers.expired > 0;
}
