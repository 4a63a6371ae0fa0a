/** What can be done with the chosen questions: each gets its own answer, through the same way as one alone. */
import type { Approval } from "toolgate/contract";
import { plural } from "../parts/numbers.ts";
import { useHeld } from "./held-answers.tsx";

export function ManyBar({
  chosen,
  onClear,
}: {
  readonly chosen: readonly Approval[];
  readonly onClear: () => void;
}) {
  const { hold } = useHeld();
  const answer = (decision: "approve" | "deny") => {
    for (const one of chosen) hold(one, { decision });
    onClear();
  };
  return (
    <div className="many-bar" role="toolbar" aria-label="Answer the chosen questions">
      <span>{plural(chosen.length, "question")} chosen</span>
      <button type="button" onClick={() => answer("approve")}>
        Approve once
      </button>
      <button type="button" className="danger" onClick={() => answer("deny")}>
        Deny
      </button>
      <button type="button" className="link" onClick={onClear}>
        Clear
      </button>
    </div>
  );
}
