/** How a call was decided, as a line of stages: passed, stopped, or never reached. The same drawing in every view. */
import type { Explanation, RuleRef } from "toolgate/contract";
import { RuleName } from "./rule-name.tsx";
import { Shown } from "./shown.tsx";

const stages = [
  ["resolve", "find the tool"],
  ["route", "routes"],
  ["validate", "check the input"],
  ["before-hooks", "hooks before"],
  ["permit", "policies"],
  ["limit", "limits"],
  ["approve", "a person"],
  ["run", "run"],
  ["after-hooks", "hooks after"],
  ["ledger", "record"],
] as const;

export interface Decided {
  readonly verdict: string;
  /** Where it stopped, or how far it came. */
  readonly stage?: string | undefined;
  readonly findings?: Explanation["walk"];
  readonly rule?: RuleRef | undefined;
}

export function HowDecided({ verdict, stage, findings = [], rule }: Decided) {
  const stop =
    verdict === "allow" || verdict === "abstain" ? -1 : stages.findIndex(([name]) => name === stage);
  const end = stop >= 0 ? stop : findings.length > 0 ? lastOf(findings) : stages.length - 1;
  return (
    <div className="decided">
      <ol className="dots">
        {stages.map(([name, title], index) => {
          const state =
            index === stop ? (verdict === "ask" ? "asked" : "stopped") : index <= end ? "passed" : "skipped";
          const said = findings.filter((finding) => finding.stage === name).map(({ finding }) => finding);
          return (
            <li key={name} className={`dot ${state}`} title={[words[state], ...said].join("\n")}>
              <span className="mark" aria-hidden="true" />
              <span className="name">{title}</span>
              <span className="unseen-word">{words[state]}</span>
            </li>
          );
        })}
      </ol>
      {findings.length > 0 && (
        <dl className="findings">
          {findings.map(({ stage: at, finding, rule: by }, index) => (
            <div key={`${at}-${index.toString()}`} className={at === stages[stop]?.[0] ? "here" : ""}>
              <dt>{stages.find(([name]) => name === at)?.[1] ?? at}</dt>
              <dd>
                <Shown text={finding} />
                {by !== undefined && (
                  <span className="by">
                    <RuleName rule={by} />
                  </span>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {findings.length === 0 && rule !== undefined && (
        <p className="by">
          <RuleName rule={rule} />
        </p>
      )}
    </div>
  );
}

const words = {
  passed: "passed",
  asked: "asks a person",
  stopped: "stopped here",
  skipped: "not reached",
} as const;

function lastOf(findings: Explanation["walk"]): number {
  return Math.max(...findings.map((finding) => stages.findIndex(([name]) => name === finding.stage)));
}
