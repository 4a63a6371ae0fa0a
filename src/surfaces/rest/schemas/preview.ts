/** What a call would do, taken apart for a person who decides: commands, files before and after, the past. */
import { Type } from "typebox";
import { closed, oneOf, ruleRef, time } from "./shapes.ts";

const text = Type.String();
const flag = Type.Boolean();
const count = Type.Integer({ minimum: 0 });

const risk = oneOf(
  ["read", "write", "execute", "opaque"],
  "`opaque`: not fully understood, so never approved without a person.",
);

export const previewPath = closed(
  {
    path: Type.String({ description: "As it is meant; links are followed." }),
    shown: Type.String({ description: "Relative to the workspace if it lies there." }),
    inside: Type.Boolean({ description: "False: outside of the workspace." }),
    access: oneOf(["read", "write"]),
    protected: Type.Optional(
      Type.String({ description: "Why the path is off limits unless a rule names it." }),
    ),
  },
  "PreviewPath",
);

export const previewCommand = closed(
  {
    text: Type.String({ description: "The words of one command, as they would be typed." }),
    argv: Type.Array(text),
    dynamic: Type.Array(count, {
      description: "Places in `argv` of words that are known only when it runs.",
    }),
    risk,
    network: flag,
    reads: Type.Array(previewPath),
    writes: Type.Array(previewPath),
    globs: Type.Array(text),
    via: Type.Array(text, { description: "What it is wrapped in, outermost first: `sudo`, `env`." }),
    beyond: Type.Optional(
      Type.String({ description: "Why this use does more than the program's plain use." }),
    ),
    unknownPaths: Type.Boolean({ description: "Some path is known only when it runs." }),
    program: Type.Optional(Type.String({ description: "The file that it is, if one was found." })),
  },
  "PreviewCommand",
);

export const previewShell = closed(
  {
    line: Type.String({ description: "Without secrets." }),
    risk,
    network: flag,
    commands: Type.Array(previewCommand),
    redirects: Type.Array(previewPath),
    notUnderstood: Type.Array(closed({ reason: text, text })),
    cut: Type.Boolean({ description: "There are more parts than are shown." }),
  },
  "PreviewShell",
);

export const previewFile = closed(
  {
    ...previewPath.properties,
    change: oneOf(["create", "edit", "delete", "move", "none", "unknown"]),
    movedTo: Type.Optional(text),
    before: Type.Optional(Type.String({ description: "As it is now, without secrets. Absent: not shown." })),
    after: Type.Optional(Type.String({ description: "As it would be, without secrets." })),
    redactions: count,
    hidden: Type.Optional(Type.String({ description: "Why the content is not shown, or not known." })),
    changedSince: Type.Optional(
      Type.Boolean({ description: "The file was changed after the question was asked." }),
    ),
  },
  "PreviewFile",
);

export const callPreview = closed(
  {
    tool: text,
    summary: Type.String({ description: "One line: what would run, computed, without secrets." }),
    danger: oneOf(
      ["low", "high"],
      "`high`: it executes, and asks the network, leaves the workspace or is not understood.",
    ),
    why: Type.Array(text, { description: "What makes the danger high." }),
    shell: Type.Optional(previewShell),
    files: Type.Array(previewFile),
    urls: Type.Array(closed({ url: text, host: text, path: text })),
  },
  "CallPreview",
);

export const previewBody = closed(
  {
    tool: Type.String({ minLength: 1, maxLength: 200 }),
    input: Type.Record(text, Type.Unknown()),
  },
  "PreviewBody",
  [{ tool: "shell.exec", input: { command: "npm test && git push" } }],
);

export const pastCall = closed(
  {
    seq: count,
    at: time,
    callId: Type.Optional(text),
    tool: text,
    summary: text,
    verdict: text,
    ok: flag,
    code: Type.Optional(text),
    rule: Type.Optional(ruleRef),
  },
  "PastCall",
);

export const pastAnswers = closed(
  {
    asked: count,
    approved: count,
    denied: count,
    expired: Type.Integer({ minimum: 0, description: "Nobody answered in time." }),
    latest: Type.Array(
      closed({
        id: text,
        at: time,
        decision: oneOf(["approve", "deny"]),
        by: text,
        reason: Type.Optional(text),
        summary: text,
      }),
    ),
  },
  "PastAnswers",
);

export const approvalPreview = closed(
  {
    id: text,
    state: text,
    serverTime: time,
    createdAt: time,
    expiresAt: time,
    reason: text,
    rule: Type.Optional(ruleRef),
    call: callPreview,
    lastCalls: Type.Array(pastCall, { description: "Of the same session, newest first." }),
    like: closed(
      {
        rule: pastAnswers,
        program: Type.Optional(closed({ name: text, answers: pastAnswers })),
      },
      "LikeAnswers",
    ),
  },
  "ApprovalPreview",
);
