/** For those who keep the server running: is it alive, can it work? Nothing more, because anybody may ask. */
import type { Clock } from "../../../core/ports/ports.ts";
import type { Store } from "../../../open/open-store.ts";
import { json } from "../../http/answer.ts";
import { endsWithin } from "../../http/answer-requests.ts";
import { defineGateRoute, defineStoreRoute } from "../rest-route.ts";
import { liveness, readiness } from "../schemas/server.ts";

export const liveRoute = defineGateRoute({
  method: "GET",
  path: "/api/health/live",
  right: "public",
  summary: "Is the process alive?",
  answers: { 200: liveness },
  handle: () => json({ status: "ok" }),
});

export const readyRoute = defineStoreRoute({
  method: "GET",
  path: "/api/health/ready",
  right: "public",
  summary: "Does it take calls?",
  description:
    "Not while it starts or ends, and not while calls are refused because of the store or its disk: nothing runs without a record.",
  answers: { 200: readiness, 503: readiness },
  async handle(_request, { server, store, clock }) {
    if (!server.isReady) return json({ status: "not_ready" }, { status: 503 });
    if (!(await storeTakesCalls(store, clock)))
      return json({ status: "not_ready", store: "failing" }, { status: 503 });
    // It takes calls all the same: an anchor is for those who verify later.
    const failing = store.failingAnchors().length > 0;
    const differ = store.processes.rules?.differ === true;
    return json({
      status: "ready",
      ...(failing && { anchors: "failing" }),
      ...(differ && { rules: "differ" }),
    });
  },
});

/** Asked at most once a second, however often anybody asks: the question needs no token. */
const lastAnswers = new WeakMap<Store, { readonly at: number; readonly answers: Promise<boolean> }>();
/** A store that waits for somebody else's lock for longer than this takes no calls either. */
const patienceMs = 2_000;

function storeTakesCalls(store: Store, clock: Clock): Promise<boolean> {
  const now = clock.monotonic();
  const last = lastAnswers.get(store);
  if (last !== undefined && now - last.at < 1_000) return last.answers;
  let fails = false;
  const trying = store.ledger.tryOut().catch(() => {
    fails = true;
  });
  const answers = endsWithin(trying, patienceMs, clock).then((inTime) => inTime && !fails);
  lastAnswers.set(store, { at: now, answers });
  return answers;
}
