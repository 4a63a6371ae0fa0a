/** The ledger for charts, rules with their hits, and what other rules would have said. */
import { Type } from "typebox";
import { ledgerFilterParts, verification } from "./ledger.ts";
import { closed, oneOf, ruleRef, time } from "./shapes.ts";

const text = Type.String();
const flag = Type.Boolean();
const count = Type.Integer({ minimum: 0 });
const ms = Type.Optional(Type.Number());

export const histogramQuery = closed({
  ...ledgerFilterParts,
  buckets: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 60." })),
});

export const histogram = closed(
  {
    since: time,
    until: time,
    bucketMs: Type.Number(),
    buckets: Type.Array(
      closed({
        at: time,
        allow: count,
        ask: count,
        deny: count,
        abstain: count,
        failed: Type.Integer({ minimum: 0, description: "Of those that were allowed." }),
        unknown: Type.Integer({ minimum: 0, description: "Their process died." }),
        p50Ms: ms,
        p95Ms: ms,
      }),
    ),
    scanned: Type.Integer({ minimum: 0, description: "How many records were looked at." }),
    complete: Type.Boolean({ description: "False: `since` was moved, because there are too many records." }),
  },
  "Histogram",
);

export const refusals = closed(
  {
    since: time,
    until: time,
    rules: Type.Array(
      closed({ rule: Type.Optional(ruleRef), code: text, count, lastAt: time }, "RefusalCount"),
      { description: "The most frequent first, at most 50." },
    ),
    complete: flag,
  },
  "Refusals",
);

export const hitsQuery = closed({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366, description: "Default: 30." })),
});

export const ruleHits = closed(
  {
    since: time,
    until: time,
    hits: Type.Array(
      closed(
        { rule: ruleRef, count, lastAt: time, allow: count, ask: count, deny: count, inForce: flag },
        "RuleHit",
      ),
    ),
    neverMatched: Type.Array(ruleRef, { description: "Routes and policies in force." }),
    records: Type.Integer({ minimum: 0, description: "How many were counted." }),
    complete: Type.Boolean({ description: "False: older records are still being counted; ask again." }),
  },
  "RuleHits",
);

export const questionsQuery = closed({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366, description: "Default: 7." })),
});

export const questions = closed(
  {
    since: time,
    open: count,
    asked: count,
    approved: count,
    denied: count,
    expired: count,
    withdrawn: count,
    medianAnswerMs: ms,
    p95AnswerMs: ms,
  },
  "Questions",
);

export const verificationState = closed(
  {
    state: oneOf(["never", "running", "done", "failed"]),
    startedAt: Type.Optional(time),
    startedBy: Type.Optional(text),
    seq: Type.Optional(Type.Integer({ description: "Checked so far." })),
    lastSeq: Type.Optional(Type.Integer()),
    finishedAt: Type.Optional(time),
    result: Type.Optional(verification),
    message: Type.Optional(Type.String({ description: "Why it could not be finished." })),
  },
  "VerificationState",
);

const fileProblem = closed({ line: Type.Optional(count), column: Type.Optional(count), message: text });

export const replayBody = closed(
  {
    yaml: Type.String({ maxLength: 200_000, description: "Rules as in a file. Its hooks are not run." }),
    keep: Type.Optional(
      Type.Boolean({ description: "Together with the rules in force, instead of alone. Default: true." }),
    ),
    filter: Type.Optional(closed(ledgerFilterParts)),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 20_000, description: "So many of the newest calls; 2,000." }),
    ),
  },
  "ReplayBody",
  [
    {
      yaml: "policies:\n  - name: no-push\n    tools: shell.exec\n    action: deny\n",
      filter: { since: "2026-01-01" },
    },
  ],
);

const verdict = oneOf(["allow", "ask", "deny", "abstain"]);

export const replayResult = closed(
  {
    ok: flag,
    problems: Type.Array(fileProblem, {
      description: "Why the rules cannot be used; then nothing was played.",
    }),
    calls: count,
    changed: count,
    changes: Type.Array(
      closed({
        seq: count,
        at: time,
        callId: Type.Optional(text),
        tool: text,
        caller: Type.Optional(text),
        summary: text,
        before: verdict,
        now: verdict,
        rule: Type.Optional(ruleRef),
        message: Type.Optional(text),
      }),
      { description: "At most 500." },
    ),
    leftOut: closed({ limited: count, elsewhere: count, noTool: count }),
    incomplete: count,
    stoppedEarly: Type.Boolean({ description: "There was no time for all of them." }),
  },
  "ReplayResult",
);

export const ruleTestBody = closed({ file: Type.Optional(text) }, "RuleTestBody", [{}]);

export const ruleTestReport = closed(
  {
    passed: count,
    failed: count,
    files: Type.Array(
      closed({
        file: text,
        problem: Type.Optional(text),
        tests: Type.Array(
          closed({
            rule: ruleRef,
            desc: text,
            ok: flag,
            expect: text,
            verdict,
            message: Type.Optional(text),
            decidedBy: Type.Optional(ruleRef),
            shadowedBy: Type.Optional(ruleRef),
          }),
        ),
      }),
    ),
  },
  "RuleTestReport",
);
