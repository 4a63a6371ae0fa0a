/** For those who keep the server running: is it alive, can it work? Nothing more, because anybody may ask. */
import type { Store } from "../../../open-store.ts";
import { json } from "../answer.ts";
import { defineRoute } from "../route.ts";
import { liveness, readiness } from "../schemas/server.ts";

const live = defineRoute({
  method: "GET",
  path: "/api/health/live",
  right: "public",
  summary: "Is the process alive?",
  answers: { 200: liveness },
  handle: () => json({ status: "ok" }),
});

const ready = defineRoute({
  method: "GET",
  path: "/api/health/ready",
  right: "public",
  summary: "Does it take calls?",
  description:
    "Not while it starts or ends, and not when its store does not answer: nothing runs without a record.",
  answers: { 200: readiness, 503: readiness },
  async handle(_request, { server, store, clock }) {
    const isReady = server.isReady && (await storeAnswers(store, clock.monotonic()));
    if (!isReady) return json({ status: "not_ready" }, { status: 503 });
    // It takes calls all the same: an anchor is for those who verify later.
    const failing = store.failingAnchors().length > 0;
    return json({ status: "ready", ...(failing && { anchors: "failing" }) });
  },
});

export const healthRoutes = [live, ready];

/** Asked at most once a second, however often anybody asks: the question needs no token. */
const lastAnswers = new WeakMap<Store, { readonly at: number; readonly answers: Promise<boolean> }>();

function storeAnswers(store: Store, now: number): Promise<boolean> {
  const last = lastAnswers.get(store);
  if (last !== undefined && now - last.at < 1_000) return last.answers;
  const answers = store.ledger.running().then(
    () => true,
    () => false,
  );
  lastAnswers.set(store, { at: now, answers });
  return answers;
}
