/** The ledger for charts: calls over time, refusals by rule, questions, and a check of the chain that goes on by itself. */
import { defined } from "../../../core/input/defined.ts";
import { json } from "../../http/answer.ts";
import type { Histogram, Questions, Refusals, VerificationState } from "../contract.ts";
import { defineStoreRoute } from "../rest-route.ts";
import {
  histogram,
  histogramQuery,
  questions,
  questionsQuery,
  refusals,
  verificationState,
} from "../schemas/insight.ts";
import { ledgerFilter } from "../schemas/ledger.ts";
import { readTimes } from "../time-query.ts";
import { verificationOf } from "../verification.ts";

const dayMs = 86_400_000;

const showHistogram = defineStoreRoute({
  method: "GET",
  path: "/api/ledger/histogram",
  right: "read",
  summary: "Calls over time, by verdict, with their latency",
  description:
    "By default the last 24 hours in 60 buckets. `complete` is false while older records are still being counted: ask again.",
  query: histogramQuery,
  answers: { 200: histogram },
  async handle({ query }, { store, clock }) {
    const { buckets = 60, ...wanted } = query;
    const filter = readTimes(wanted);
    if ("kind" in filter) return filter;
    const span = spanOf(filter, clock.now());
    return json<Histogram>(await store.ledger.histogram(withoutTimes(filter), { ...span, buckets }));
  },
});

const showRefusals = defineStoreRoute({
  method: "GET",
  path: "/api/ledger/refusals",
  right: "read",
  summary: "Which rules refused how often",
  query: ledgerFilter,
  answers: { 200: refusals },
  async handle({ query }, { store, clock }) {
    const filter = readTimes(query);
    if ("kind" in filter) return filter;
    const span = spanOf(filter, clock.now());
    const wanted = { ...withoutTimes(filter), verdict: "deny" as const };
    const { rules, complete } = await store.ledger.ruleCounts(wanted, { ...span, byCode: true });
    const shown = rules
      .slice(0, mostRules)
      .map(({ rule, code, count, lastAt }) => defined({ rule, code: code ?? "", count, lastAt }));
    return json<Refusals>({ ...span, rules: shown, complete });
  },
});

const mostRules = 50;

const showQuestions = defineStoreRoute({
  method: "GET",
  path: "/api/approvals/stats",
  right: ["read", "approve"],
  summary: "How questions were answered, and how long that took",
  description: "By default those of the last 7 days. What has ended is kept for 30 days.",
  query: questionsQuery,
  answers: { 200: questions },
  async handle({ query: { days = 7 } }, { store, clock }) {
    const since = clock.now() - days * dayMs;
    const [waiting, { medianMs, p95Ms, ...counts }] = await Promise.all([
      store.approvals.waiting(),
      store.approvals.tally(since),
    ]);
    const times = { medianAnswerMs: medianMs, p95AnswerMs: p95Ms };
    return json<Questions>(defined({ since, ...counts, open: waiting.length, ...times }));
  },
});

const showVerification = defineStoreRoute({
  method: "GET",
  path: "/api/ledger/verification",
  right: "read",
  summary: "How far the check of the chain is, or how the last one ended",
  answers: { 200: verificationState },
  handle: (_request, { store }) => json<VerificationState>(verificationOf(store).state),
});

const startVerification = defineStoreRoute({
  method: "POST",
  path: "/api/ledger/verification",
  right: "read",
  summary: "Begins a check of the whole chain, which goes on by itself",
  description: "One at a time: while one runs, it is told how far it is.",
  answers: { 202: verificationState },
  handle({ holder }, { store, clock, server }) {
    const verification = verificationOf(store);
    verification.start({ by: holder.caller.id, clock, signal: server.closing });
    return json<VerificationState>(verification.state, { status: 202 });
  },
});

/** Before `approvalRoutes`: `stats` is no id. */
export const insightRoutes = [
  showHistogram,
  showRefusals,
  showQuestions,
  showVerification,
  startVerification,
];

interface Times {
  readonly since?: number;
  readonly until?: number;
}

function spanOf({ since, until }: Times, now: number): { readonly since: number; readonly until: number } {
  const end = until ?? now;
  return { since: Math.min(since ?? end - dayMs, end - 1), until: end };
}

function withoutTimes<Filter extends Times>({ since: _since, until: _until, ...filter }: Filter) {
  return filter;
}
