/** One suggestion, so that a person can check it in seconds: the rule, what speaks for it, what it would change. */
import type { Suggestion } from "toolgate/contract";
import { Link } from "wouter";
import { plural } from "../parts/numbers.ts";
import { RuleText } from "../parts/rule-text.tsx";
import { Shown } from "../parts/shown.tsx";
import { exact } from "../parts/time.tsx";

export function SuggestionDetail({ suggestion }: { readonly suggestion: Suggestion }) {
  const { kind, state, title, yaml, notes, removes, reviewAt } = suggestion;
  return (
    <div className="detail">
      <div className="detail-head">
        <p className="quiet">
          {kind}
          {state === "not-enough" && ", not enough yet"}
        </p>
        <h2>
          <Shown line text={title} />
        </h2>
      </div>
      {notes.map((note) => (
        <p key={note} className="opaque">
          <Shown text={note} />
        </p>
      ))}
      <Evidence of={suggestion} />
      {yaml.trim() !== "" && (
        <RuleText yaml={yaml}>
          Put it into a configuration file of your own, or run{" "}
          <code>toolgate suggest {suggestion.id} --write FILE</code>, which proves it again. Look at it again
          by {exact(reviewAt)}.
        </RuleText>
      )}
      {removes.length > 0 && (
        <div className="part">
          <h3>What is not needed any more</h3>
          <ul>
            {removes.map(({ rule, grantId, why }) => (
              <li key={`${rule.kind}:${grantId ?? rule.name}`}>
                {rule.kind} <Shown line text={grantId ?? rule.name} />: {why}
              </li>
            ))}
          </ul>
        </div>
      )}
      <Changes of={suggestion} />
    </div>
  );
}

function Evidence({ of }: { readonly of: Suggestion }) {
  const { evidence, holdOut, attacks, cannotTell, savedQuestions } = of;
  return (
    <div className="part">
      <h3>What speaks for it</h3>
      <dl className="facts">
        <dt>Answers</dt>
        <dd>
          {evidence.approved} approved, {evidence.denied} denied, {evidence.edited} edited, by{" "}
          {plural(evidence.people, "person", "people")} in {plural(evidence.sessions, "session")} on{" "}
          {plural(evidence.days, "day")}
        </dd>
        <dt>Saves</dt>
        <dd>{plural(savedQuestions, "question")}</dd>
        <dt>Tried on later ones</dt>
        <dd>
          of {holdOut.asked} it would have answered {holdOut.answered}; people agreed with {holdOut.agreed}{" "}
          and denied {holdOut.denied}
        </dd>
        <dt>Attacks</dt>
        <dd>
          {attacks.passed} of {attacks.tried} would pass
        </dd>
        {cannotTell > 0 && (
          <>
            <dt>Cannot tell</dt>
            <dd>{plural(cannotTell, "call")} whose record is incomplete</dd>
          </>
        )}
      </dl>
    </div>
  );
}

function Changes({ of }: { readonly of: Suggestion }) {
  const { changes, counterExamples } = of;
  return (
    <>
      <div className="part">
        <h3>What it would have changed: {plural(changes.count, "call")}</h3>
        <ul className="changes">
          {changes.calls.slice(0, 20).map(({ seq, tool, input, before, after, times }) => (
            <li key={seq}>
              <Link href={`/ledger/${seq}`}>
                {before} → {after}
              </Link>{" "}
              <Shown line text={tool} />{" "}
              <code>
                <Shown line text={JSON.stringify(input)} limit={200} />
              </code>
              {times > 1 && ` ${plural(times, "time")}`}
            </li>
          ))}
        </ul>
      </div>
      {counterExamples.length > 0 && (
        <div className="part">
          <h3>What people denied, and it does not hold for</h3>
          <ul>
            {counterExamples.map(({ seq, text, reason }) => (
              <li key={seq}>
                <code>
                  <Shown line text={text} limit={200} />
                </code>
                {reason !== undefined && (
                  <>
                    {": "}
                    <Shown line text={reason} limit={200} />
                  </>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
