import { afterAll, beforeAll, expect, it } from "vitest";
import { openStore, type Store } from "../../src/open/open-store.ts";
import { intent, record, tokenRecord } from "../contract/samples.ts";
import { newSession } from "../contract/session-store.ts";
import { approvalRequest, binding } from "../unit/stores/sqlite/approval-request.ts";
import { type CuttingProxy, startCuttingProxy } from "./cutting-proxy.ts";
import { describePostgres } from "./describe-postgres.ts";
import { scratchFolder } from "./scratch-folder.ts";
import { ask, createDatabase } from "./start-postgres.ts";

interface Operation {
  readonly name: string;
  /** What has to be there before. */
  readonly prepare?: (store: Store, id: string) => unknown;
  readonly run: (store: Store, id: string) => unknown;
  /** How often it was done: one number. */
  readonly done: string;
}

const rowsOf = (kind: string) =>
  `SELECT count(*)::int AS n FROM toolgate.ledger WHERE kind = '${kind}' AND call_id = $1`;
const approvalsIn = (...states: readonly string[]) =>
  `SELECT count(*)::int AS n FROM toolgate.approvals WHERE id = $1 AND state IN (${states.map((state) => `'${state}'`).join(", ")})`;
const asked = (store: Store, id: string) => store.approvals.open(approvalRequest(id, { sessionId: id }));
const answer = (store: Store, id: string) => store.approvals.answer(id, { decision: "approve", by: "ann" });

const operations: readonly Operation[] = [
  { name: "an intent", run: ({ ledger }, id) => ledger.open(intent(id)), done: rowsOf("intent") },
  {
    name: "the end of a call",
    prepare: ({ ledger }, id) => ledger.open(intent(id)),
    run: ({ ledger }, id) => ledger.close(record(id)),
    done: rowsOf("completion"),
  },
  {
    name: "a note",
    run: ({ ledger }, id) =>
      ledger.note({ at: 1, code: "token_created", caller: "agent", surface: "store", message: id }),
    done: "SELECT count(*)::int AS n FROM toolgate.ledger WHERE kind = 'note' AND body LIKE '%' || $1 || '%'",
  },
  {
    name: "a question",
    run: asked,
    done: "SELECT count(*)::int AS n FROM toolgate.approvals WHERE id = $1",
  },
  { name: "an answer", prepare: asked, run: answer, done: approvalsIn("approved") },
  {
    name: "the use of an answer",
    prepare: async (store, id) => [await asked(store, id), await answer(store, id)],
    run: ({ approvals }, id) => approvals.claim(id, binding),
    done: approvalsIn("claimed"),
  },
  {
    name: "a withdrawn question",
    prepare: asked,
    run: ({ approvals }, id) => approvals.withdraw(id),
    done: approvalsIn("withdrawn"),
  },
  {
    name: "a counted call",
    run: ({ limits }, id) =>
      limits.take(
        [{ limit: id, who: "all", window: { max: 9, windowMs: 3_600_000 }, concurrent: undefined }],
        Date.now(),
        false,
      ),
    done: "SELECT COALESCE(sum(calls), 0)::int AS n FROM toolgate.limit_calls WHERE limit_name = $1",
  },
  {
    name: "a grant",
    run: ({ grants }, id) =>
      grants.add({
        ...binding,
        id,
        scope: "user",
        sessionId: undefined,
        project: undefined,
        by: "ann",
        createdAt: 1,
        expiresAt: undefined,
      }),
    done: "SELECT count(*)::int AS n FROM toolgate.grants WHERE id = $1",
  },
  {
    name: "a token",
    run: ({ tokens }, id) =>
      tokens.change((now) => ({ tokens: [...now, tokenRecord(id)], result: undefined })),
    done: "SELECT (length(list) - length(replace(list, '\"' || $1 || '\"', ''))) / (length($1) + 2) AS n FROM toolgate.tokens",
  },
  {
    name: "a session",
    run: ({ sessions, processes }, id) =>
      sessions.create(
        newSession({ id }),
        { id: `p-${id}`, text: "go", by: "ann", key: undefined },
        processes.id,
      ),
    done: "SELECT count(*)::int AS n FROM toolgate.sessions WHERE id = $1",
  },
  {
    name: "the end of a task",
    run: ({ tasks }, id) =>
      tasks.end(
        { callerId: "agent", sessionId: id },
        { kind: "cancelled", by: "hook", message: "no", at: Date.now() },
      ),
    done: "SELECT count(*)::int AS n FROM toolgate.facts WHERE key LIKE '%' || $1 || '%'",
  },
];

describePostgres("a connection that is cut under a statement", () => {
  let proxy: CuttingProxy;
  let url: string;
  let store: Store;
  const folder = scratchFolder();
  beforeAll(async () => {
    url = await createDatabase();
    proxy = await startCuttingProxy(url);
    store = await openStore({ stateFolder: folder, postgres: { url: proxy.url } });
  }, 60_000);
  afterAll(async () => {
    await store.close();
    await proxy.close();
  });
  const times = async (sql: string, id: string) => Number((await ask(url, sql, [id]))[0]?.n);

  it.for(operations)(
    "leaves $name done once where it was acknowledged, and never twice",
    async (operation) => {
      const { name, prepare, run, done } = operation;
      const key = name.replaceAll(" ", "-");
      await prepare?.(store, `${key}-first`);
      proxy.takeSeen();
      await run(store, `${key}-first`);
      const statements = [...new Set(proxy.takeSeen())];
      expect(statements.length).toBeGreaterThan(0);
      let cuts = 0;
      for (const [index, sql] of statements.entries())
        for (const mode of ["before", "after"] as const) {
          const id = `${key}-${index}-${mode}`;
          await untilThere(store);
          await prepare?.(store, id);
          proxy.cutAt(sql, mode);
          const isAcknowledged = await Promise.resolve(run(store, id)).then(
            () => true,
            () => false,
          );
          if (proxy.hasCut) cuts++;
          const what = `${isAcknowledged ? "acknowledged" : "failed"}, cut ${mode} ${sql.slice(0, 80)}`;
          if (isAcknowledged) expect(await times(done, id), what).toBe(1);
          else expect(await times(done, id), what).toBeLessThanOrEqual(1);
        }
      expect(cuts).toBeGreaterThan(0);
      await untilThere(store);
      expect(await store.ledger.verify()).toMatchObject({ ok: true, problems: [] });
    },
  );
});

/** It connects by itself. */
async function untilThere({ ledger }: Store): Promise<void> {
  await expect
    .poll(
      () =>
        ledger.tryOut().then(
          () => true,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true);
}
