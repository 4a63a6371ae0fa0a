/** What the rules say to a call: one line, and the stages below it on demand. */
import type { Explanation } from "toolgate/contract";
import { HowDecided } from "./how-decided.tsx";
import { RuleName } from "./rule-name.tsx";
import { Shown } from "./shown.tsx";

const words = {
  allow: "Would be allowed",
  ask: "Would ask a person",
  deny: "Would be refused",
  abstain: "No rule speaks: the agent decides",
} as const;
const tones = { allow: "fine", ask: "asked", deny: "refused", abstain: "quiet" } as const;

export function Explained({
  said,
  isOpen = false,
}: {
  readonly said: Explanation;
  readonly isOpen?: boolean;
}) {
  const { verdict, rule, message, hint } = said;
  return (
    <div className={`explained ${tones[verdict]}`}>
      <p className="says">
        {words[verdict]}
        {rule !== undefined && (
          <span className="by-rule">
            {" "}
            by <RuleName rule={rule} />
          </span>
        )}
      </p>
      {message !== undefined && (
        <p>
          <Shown text={message} />
        </p>
      )}
      {hint !== undefined && (
        <p className="quiet">
          <Shown text={hint} />
        </p>
      )}
      <details open={isOpen}>
        <summary>How it is decided</summary>
        <HowDecided verdict={verdict} stage={said.stage} findings={said.walk} rule={rule} />
      </details>
    </div>
  );
}
