/** Upstream MCP servers as they go over the wire: how they stand, what waits for a person. */
import { Type } from "typebox";
import { permissions } from "../../../core/tool/permission.ts";
import { closed, oneOf, time } from "./shapes.ts";

const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const anything = Type.Object({}, { additionalProperties: true });

export const upstream = closed(
  {
    server: text,
    transport: oneOf(["stdio", "http"]),
    state: oneOf(
      ["disabled", "idle", "starting", "ready", "failed", "broken", "stopped"],
      "`idle`: known, starts at the first call. `broken`: tried too often.",
    ),
    permission: Type.Optional(oneOf(permissions, "What the configuration says of all of its tools.")),
    problem: Type.Optional(text),
    retryAt: Type.Optional(time),
    pid: Type.Optional(Type.Integer()),
    serverInfo: Type.Optional(closed({ name: text, version: text, title: Type.Optional(text) })),
    protocolVersion: Type.Optional(text),
    capabilities: Type.Optional(anything),
    instructions: Type.Optional(Type.String({ description: "As they were accepted." })),
    tools: Type.Integer({ minimum: 0, description: "How many of its tools can be called." }),
    pending: Type.Array(closed({ tool: text, why: oneOf(["new", "changed", "instructions-changed"]) }), {
      description: "Hidden and refused until a person accepts them.",
    }),
    refused: Type.Array(closed({ tool: text, message: text }), {
      description: "Tools that cannot be offered, and why.",
    }),
    misnamed: Type.Array(closed({ tool: text, closest: Type.Optional(text) }), {
      description: "Named under `tools:` of the configuration, but the server has no such tool.",
    }),
    calls: count,
    running: count,
  },
  "Upstream",
);

export const upstreamList = closed({ upstreams: Type.Array(upstream) }, "UpstreamList");

const definition = Type.Union([anything, text], {
  description: "The definition; for the server's instructions the text.",
});

export const upstreamReview = closed(
  {
    items: Type.Array(
      closed({
        server: text,
        tool: text,
        why: oneOf(["new", "changed", "instructions-changed"]),
        digest: Type.String({ description: "Names exactly this definition." }),
        before: Type.Optional(definition),
        after: definition,
      }),
    ),
  },
  "UpstreamReview",
);

export const acceptBody = closed(
  {
    items: Type.Array(closed({ tool: text, digest: text }), {
      minItems: 1,
      maxItems: 10_000,
      description: "As the review shows them.",
    }),
  },
  "UpstreamAcceptBody",
  [{ items: [{ tool: "get_issue", digest: "ggNVqPeYXBSbiMjuYXJ1ye_CMW8NLs6r-2H558pgslA" }] }],
);

export const upstreamAccepted = closed(
  {
    accepted: Type.Array(text),
    changedAgain: Type.Array(Type.String({ description: "Not what waits any more; look again." })),
  },
  "UpstreamAccepted",
);
