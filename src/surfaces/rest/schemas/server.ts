/** What the server says about itself and about whoever asks. */
import { Type } from "typebox";
import { rights } from "../../http/rights.ts";
import { closed, oneOf, time } from "./shapes.ts";

const text = Type.String();
const count = Type.Integer({ minimum: 0 });

export const liveness = closed({ status: Type.Literal("ok") }, "Liveness");
export const readiness = closed(
  {
    status: oneOf(["ready", "not_ready"]),
    store: Type.Optional(
      oneOf(["failing"], "The store takes no records, so nothing that writes or executes runs."),
    ),
    anchors: Type.Optional(
      oneOf(["failing"], "An anchor of the ledger takes no checkpoints; the log says which one, and why."),
    ),
    rules: Type.Optional(
      oneOf(["differ"], "Replicas decide by different rules; `toolgate store status` shows which."),
    ),
  },
  "Readiness",
);

export const me = closed(
  {
    caller: text,
    rights: Type.Array(oneOf(rights)),
    capabilities: Type.Array(text),
    expiresAt: Type.Optional(Type.Number({ description: "When the token ends; absent: never." })),
    version: Type.String({ description: "Of the server." }),
    time: Type.Number({ description: "By the server's clock." }),
  },
  "Me",
);

export const status = closed(
  {
    version: text,
    startedAt: time,
    url: text,
    project: text,
    rulesVersion: Type.Integer(),
    tools: count,
    approvalsWaiting: count,
    eventClients: count,
    requestsInFlight: count,
    config: closed({
      sources: Type.Array(
        closed({
          file: text,
          origin: text,
          tier: text,
          trusted: Type.Boolean(),
          plugin: Type.Optional(text),
        }),
      ),
      problems: Type.Array(closed({ file: text, line: Type.Optional(Type.Integer()), message: text }), {
        description: "Why the files as they are now are not used; the last good ones are.",
      }),
      ignored: Type.Array(closed({ file: text, line: Type.Optional(Type.Integer()), what: text, why: text })),
      notes: Type.Array(text),
    }),
  },
  "Status",
);
