/** The ledger as it goes over the wire. */
import { Type } from "typebox";
import { ledgerKinds } from "../../../core/ports/ledger-reader.ts";
import { closed, oneOf, time } from "./shapes.ts";

const text = Type.String();
const optional = Type.Optional(Type.String({ maxLength: 1_000 }));
const count = Type.Integer({ minimum: 0 });
const moment = Type.Optional(
  Type.String({ maxLength: 40, description: "Milliseconds since the epoch, or an ISO 8601 date." }),
);
const verdicts = ["allow", "ask", "deny", "abstain"] as const;

export const ledgerFilterParts = {
  since: moment,
  until: moment,
  tool: Type.Optional(Type.String({ maxLength: 200, description: "An id; `*` stands for any text." })),
  caller: optional,
  session: optional,
  toolUseId: optional,
  verdict: Type.Optional(oneOf(verdicts)),
  code: optional,
  text: optional,
};

export const ledgerFilter = closed(ledgerFilterParts);

export const ledgerQuery = closed({
  ...ledgerFilterParts,
  kinds: Type.Optional(Type.Array(oneOf(ledgerKinds), { maxItems: ledgerKinds.length })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  order: Type.Optional(oneOf(["newest", "oldest"])),
  after: Type.Optional(Type.Integer({ minimum: 0, description: "The `next` of the page before." })),
});

export const ledgerEntry = closed(
  {
    seq: count,
    hash: text,
    kind: oneOf(ledgerKinds),
    at: time,
    callId: Type.Optional(text),
    tool: Type.Optional(text),
    body: Type.Record(text, Type.Unknown()),
  },
  "LedgerEntry",
);

export const ledgerPage = closed(
  { entries: Type.Array(ledgerEntry), next: Type.Optional(Type.Integer()) },
  "LedgerPage",
);

export const ledgerEntries = closed({ entries: Type.Array(ledgerEntry) }, "LedgerEntries");

const named = closed({ name: text, count });

export const ledgerStats = closed(
  {
    calls: count,
    unknown: count,
    byVerdict: Type.Array(named),
    byTool: Type.Array(closed({ name: text, count, refused: count, medianMs: Type.Optional(Type.Number()) })),
    byCaller: Type.Array(named),
    byCode: Type.Array(named),
    byDay: Type.Array(named),
  },
  "LedgerStats",
);

export const verification = closed(
  {
    ok: Type.Boolean(),
    ledgerId: text,
    rows: count,
    firstSeq: Type.Integer(),
    lastSeq: Type.Integer(),
    checkpoints: count,
    sealedSeq: Type.Integer(),
    anchors: Type.Optional(
      Type.Array(closed({ name: text, seq: Type.Integer(), behind: Type.Integer() }), {
        description: "Files outside of the state folder that it was compared with.",
      }),
    ),
    onTheirWay: Type.Optional(
      Type.Integer({ description: "Journals of running processes that are not in the ledger yet." }),
    ),
    problems: Type.Array(closed({ kind: text, seq: Type.Optional(Type.Integer()), message: text })),
  },
  "Verification",
);
