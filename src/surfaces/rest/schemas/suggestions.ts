/** Proposed rules as they go over the wire, each with its proof. */
import { Type } from "typebox";
import { suggestionKinds } from "../../../suggest/suggestion.ts";
import { closed, oneOf, ruleRef, time } from "./shapes.ts";

const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const verdict = oneOf(["allow", "ask", "deny", "abstain"]);

export const suggestionsQuery = closed({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, description: "Default: 30." })),
  for: Type.Optional(oneOf(suggestionKinds, "Only of this kind.")),
});

const evidence = closed(
  {
    asked: count,
    approved: count,
    denied: count,
    edited: count,
    people: count,
    sessions: count,
    days: count,
    weight: Type.Number({ description: "Fast and batch answers count half, one session at most 30 %." }),
    lowerBound: Type.Number({ description: "Of the share that is approved, at that weight (Wilson)." }),
  },
  "SuggestionEvidence",
);

const change = closed(
  {
    seq: count,
    callId: text,
    tool: text,
    input: Type.Record(text, Type.Unknown()),
    before: verdict,
    after: verdict,
    times: Type.Integer({ minimum: 1, description: "How many calls of the window are the same." }),
  },
  "SuggestedChange",
);

export const suggestion = closed(
  {
    id: Type.String({ description: "The same for the same rule, whenever it is proposed." }),
    kind: oneOf(suggestionKinds),
    state: oneOf(["ready", "not-enough"]),
    title: text,
    yaml: Type.String({ description: "What to add to a rule file, with its tests." }),
    tests: Type.Integer({ minimum: 0, description: "How many tests it carries." }),
    removes: Type.Array(
      closed({
        rule: ruleRef,
        grantId: Type.Optional(text),
        why: oneOf(["unused", "shadowed", "wider"]),
      }),
      { description: "Of a cleanup: what is not needed any more." },
    ),
    evidence,
    savedQuestions: count,
    changes: closed({ count, calls: Type.Array(change) }),
    cannotTell: Type.Integer({ minimum: 0, description: "Calls whose record does not hold enough." }),
    holdOut: closed({ asked: count, answered: count, agreed: count, denied: count }),
    counterExamples: Type.Array(closed({ seq: count, text, reason: Type.Optional(text) })),
    attacks: closed({ tried: count, passed: count }),
    reviewAt: time,
    notes: Type.Array(text),
  },
  "Suggestion",
);

export const shadowTally = closed(
  {
    rule: text,
    answered: Type.Integer({ minimum: 0, description: "Questions that nobody would have been asked." }),
    agreed: count,
    disagreed: count,
    stopped: Type.Integer({ minimum: 0, description: "Calls that it would have denied." }),
    stoppedApproved: count,
    asked: Type.Integer({ minimum: 0, description: "Calls that it would have asked about." }),
  },
  "ShadowTally",
);

export const suggestionReport = closed(
  {
    at: time,
    since: time,
    until: time,
    rulesVersion: Type.String({ description: "Suggestions are proved for these rules." }),
    calls: count,
    questions: count,
    answered: count,
    savedQuestions: count,
    suggestions: Type.Array(suggestion, { description: "The most useful first." }),
    withheld: Type.Array(closed({ why: text, questions: count })),
    cannotTell: count,
    shadows: Type.Array(shadowTally, { description: "What policies in shadow mode would have done." }),
    complete: Type.Boolean({ description: "False: there are too many calls; the newest were looked at." }),
  },
  "SuggestionReport",
);

export const rankedScopes = closed(
  {
    scopes: Type.Array(
      closed(
        {
          scope: oneOf(["exact", "shape", "folder"], "This very call, its shape, or its folder."),
          asked: Type.Integer({ minimum: 0, description: "Questions of the last 30 days." }),
          approved: count,
          denied: count,
          suggestion: Type.Optional(
            closed({
              id: text,
              title: text,
              yaml: text,
              state: oneOf(["ready", "not-enough"]),
              notes: Type.Array(text),
            }),
          ),
        },
        "RankedScope",
      ),
      { description: "The closest first." },
    ),
  },
  "RankedScopes",
);
