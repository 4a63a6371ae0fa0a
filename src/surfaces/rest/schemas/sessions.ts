/** Sessions of agents as they go over the wire: the session, the items of its log, what starts and steers it. */
import { Type } from "typebox";
import { sessionEnds, sessionStates } from "../../../core/ports/sessions.ts";
import { cursor, sessionItem } from "./session-items.ts";
import { closed, mode, oneOf, time } from "./shapes.ts";

const text = Type.String();
const many = (minimum = 1) => Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER });
const name = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });

export const sessionBudget = closed(
  {
    turns: Type.Optional(many()),
    tokens: Type.Optional(many()),
    timeMs: Type.Optional(many()),
  },
  "SessionBudget",
);

const offers = ["gate", "agent", "none"] as const;

export const session = closed(
  {
    id: text,
    owner: Type.String({ description: "Who started it. Its calls are made by `agent:<id>` for the owner." }),
    runner: text,
    title: text,
    cwd: text,
    worktree: Type.Optional(Type.String({ description: "The work tree that was made for it." })),
    mode,
    model: Type.Optional(text),
    single: Type.Boolean({ description: "It ends after its first turn." }),
    parent: Type.Optional(text),
    state: oneOf(sessionStates),
    end: Type.Optional(oneOf(sessionEnds)),
    turn: Type.Integer({ description: "Of the last prompt that was taken; 0 before the first." }),
    agentSessionId: Type.Optional(text),
    createdAt: time,
    updatedAt: time,
    endedAt: Type.Optional(time),
    tools: closed({ offer: oneOf(offers), categories: Type.Optional(Type.Array(text)) }),
    budget: sessionBudget,
    usage: closed({ inputTokens: Type.Number(), outputTokens: Type.Number() }),
    error: Type.Optional(closed({ code: text, message: text })),
    cursor,
  },
  "Session",
);

export const startBody = closed(
  {
    prompt: Type.String({ minLength: 1, maxLength: 1_000_000 }),
    runner: Type.Optional(name("Which agent: see `GET /api/runners`. Default: the one set up as such.")),
    cwd: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4_096, description: "Absolute. Default: the first root." }),
    ),
    title: Type.Optional(name("Default: the beginning of the prompt.")),
    mode: Type.Optional(mode),
    model: Type.Optional(name("As the runner calls it.")),
    system: Type.Optional(Type.String({ maxLength: 100_000 })),
    tools: Type.Optional(
      Type.Union([Type.Boolean(), Type.Literal("agent")], {
        description:
          "`false`: none. `true`: those of the gate. `agent`: the agent's own, each call judged by the gate. Default: the runner's.",
      }),
    ),
    categories: Type.Optional(
      Type.Array(name("A category of tools."), {
        maxItems: 100,
        description: "The categories that are on by default, and exactly these. Default: all that are on.",
      }),
    ),
    budget: Type.Optional(sessionBudget),
    single: Type.Optional(Type.Boolean({ description: "It ends after its first turn." })),
    worktree: Type.Optional(Type.Boolean({ description: "It works in a git work tree of its own." })),
    key: Type.Optional(name("The same key of the same caller starts no second session.")),
  },
  "SessionBody",
  [
    { prompt: "What does this project do?", mode: "plan" },
    {
      prompt: "Fix the failing test.",
      runner: "chat",
      cwd: "/home/ann/project",
      worktree: true,
      budget: { turns: 30, timeMs: 600_000 },
      key: "fix-1",
    },
    { prompt: "Say hello.", tools: false, single: true },
  ],
);

export const sessionQuery = closed({
  owner: Type.Optional(Type.String({ maxLength: 200, description: "Only of this caller." })),
  state: Type.Optional(Type.Array(oneOf(sessionStates), { description: "Only in one of these states." })),
  parent: Type.Optional(Type.String({ maxLength: 100, description: "Only those that it started." })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 50." })),
  after: Type.Optional(Type.String({ maxLength: 200, description: "The `next` of the page before." })),
});

export const sessionList = closed(
  {
    sessions: Type.Array(session, { description: "The newest first." }),
    next: Type.Optional(text),
  },
  "SessionList",
);

export const itemQuery = closed({
  after: Type.Optional(Type.String({ maxLength: 100, description: "Only items after this cursor." })),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 5_000, description: "Items. Default: 500." })),
});

export const prompt = closed(
  { id: text, text, by: text, at: time, key: Type.Optional(text) },
  "SessionPrompt",
);

export const sessionView = closed(
  {
    session,
    items: Type.Array(sessionItem, { description: "The oldest first." }),
    next: Type.Optional(Type.String({ description: "There are more: `?after=` this." })),
    prompts: Type.Array(prompt, { description: "What waits for its turn." }),
    cursor: Type.String({
      description: "Of the last item here. With it, the events go on where these items end.",
    }),
  },
  "SessionView",
);

export const messageBody = closed(
  {
    text: Type.String({ minLength: 1, maxLength: 1_000_000 }),
    steer: Type.Optional(
      Type.Boolean({ description: "Into the turn that runs, which has to be `expectedTurn`." }),
    ),
    expectedTurn: Type.Optional(Type.Integer({ minimum: 1 })),
    resume: Type.Optional(Type.Boolean({ description: "Also if the session has ended." })),
    key: Type.Optional(name("The same key in the same session is the same message.")),
  },
  "MessageBody",
  [
    { text: "And now the tests." },
    { text: "Not that file.", steer: true, expectedTurn: 2 },
    { text: "Go on.", resume: true, key: "go-on-1" },
  ],
);

export const cancelBody = closed(
  { turn: Type.Optional(Type.Integer({ minimum: 1, description: "Only this turn, if it still runs." })) },
  "CancelBody",
  [{}, { turn: 3 }],
);

export const sessionRemoved = closed(
  {
    id: text,
    removed: Type.Literal(true),
    worktree: Type.Optional(
      closed({
        path: text,
        state: oneOf(["removed", "kept"], "`kept`: it has changes, or could not be removed."),
        why: Type.Optional(text),
      }),
    ),
  },
  "SessionRemoved",
);

export const sessionEventQuery = closed({
  after: Type.Optional(
    Type.String({ maxLength: 100, description: "Go on after this cursor. `Last-Event-ID` counts first." }),
  ),
  deltas: Type.Optional(Type.Boolean({ description: "False: without `message-delta`. Default: true." })),
});

export const runner = closed(
  {
    name: text,
    title: text,
    offers: Type.Array(oneOf(offers), { description: "What `tools` may be; the first is the default." }),
    missing: Type.Optional(Type.String({ description: "Why it cannot be used now, and what to do." })),
    default: Type.Optional(Type.Literal(true)),
  },
  "Runner",
);

export const runnerList = closed({ runners: Type.Array(runner) }, "RunnerList");
