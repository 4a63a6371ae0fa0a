/** Who is asked about a call of Claude Code, and who decides where no rule can be sure, without a server. */
import { describe, expect, it } from "vitest";
import { bash, createHookWorld, type HookWorld, said } from "../hook-world.ts";

const rules = `policies:
  secrets: {tools: '*', action: deny, reason: Secrets stay., conditions: [{type: path, operator: matches, value: '(^|/)\\.env$'}]}
  no-ssh: {tools: Bash, action: deny, reason: No servers., conditions: [{type: command, operator: startsWith, value: ssh}]}
  deploy: {tools: Bash, action: ask, reason: Ann decides., conditions: [{type: command, operator: startsWith, value: deploy}]}
  fine: {tools: Bash, action: approve, conditions: [{type: command, operator: startsWith, value: [ls, cat, python3]}]}
`;

const promptingModes = ["default", "acceptEdits"];
const otherModes = ["plan", "dontAsk", "auto", "bypassPermissions"];
const unreadable = [
  "cat $FILE",
  "python3 -c 'print(1)'",
  "find . -exec cat {} +",
  "bash script.sh $X; cat $Y",
  "$CMD host",
];

interface Asking {
  readonly mode?: string;
  readonly attended?: "0" | "1";
  readonly settings?: string;
}

async function ask(world: HookWorld, command: string, { mode = "default", attended = "1" }: Asking = {}) {
  const env = { CLAUDE_CODE_SESSION_ID: "s1", CLAUDE_CODE_SESSION_ATTENDED: attended };
  const answer = await world.claude(
    bash(command, { session_id: "s1", permission_mode: mode, cwd: world.project }),
    { env },
  );
  const { permissionDecision = "silent", permissionDecisionReason, additionalContext } = said(answer);
  return { decision: permissionDecision, reason: permissionDecisionReason, context: additionalContext };
}

function worldWith(settings = ""): HookWorld {
  const world = createHookWorld();
  world.user(rules + settings);
  return world;
}

describe("a rule that asks", () => {
  it.each([...promptingModes, ...otherModes.filter((mode) => mode !== "plan")])(
    "is put to the person by the agent's own prompt, in mode %s and without a terminal",
    async (mode) => {
      const world = worldWith();
      for (const attended of ["1", "0"] as const) {
        const { decision, reason } = await ask(world, "deploy prod", { mode, attended });
        expect([decision, reason]).toEqual([
          "ask",
          `Ann decides. (deploy prod)\n(policy deploy, ${world.userFile}:4)`,
        ]);
      }
    },
  );

  it("denies where the settings want the queue, and nobody can wait on it", async () => {
    const { decision, reason } = await ask(worldWith("hooks: {ask: queue}\n"), "deploy prod");
    expect([decision, reason]).toEqual([
      "deny",
      expect.stringContaining("Nobody could be asked, so the call is denied."),
    ]);
  });

  it("denies for a program that only reads the settings of Claude Code", async () => {
    const world = worldWith();
    const foreign = { session_id: "s1", sessionId: "s1", permission_mode: "default", cwd: world.project };
    const { exitCode } = await world.claude(bash("deploy prod", foreign));
    expect(exitCode).toBe(2);
  });

  it("is asked although another rule is in doubt about the same line", async () => {
    const { decision, reason } = await ask(worldWith(), "cat $FILE; deploy prod");
    expect([decision, reason]).toEqual(["ask", expect.stringContaining("Ann decides.")]);
  });
});

describe("a call that cannot be read in advance", () => {
  it("is left to the agent's own prompt where that is on, and the model is told the reason", async () => {
    const world = worldWith();
    for (const mode of promptingModes) {
      for (const command of unreadable) {
        const { decision, context } = await ask(world, command, { mode });
        expect([command, decision]).toEqual([command, "silent"]);
        expect(context).toMatch(
          /^toolgate: Unclear before it runs: .*Policy "(secrets|no-ssh)" may concern it\./,
        );
      }
    }
  });

  it("is asked about in modes without prompts, and where nobody sits", async () => {
    const world = worldWith();
    for (const command of unreadable) {
      for (const mode of otherModes.filter((one) => one !== "plan"))
        expect([command, mode, (await ask(world, command, { mode })).decision]).toEqual([
          command,
          mode,
          "ask",
        ]);
      for (const mode of promptingModes)
        expect((await ask(world, command, { mode, attended: "0" })).decision).toBe("ask");
    }
  });

  it("is asked about, or denied, where the settings say so", async () => {
    const [asking, denying] = [worldWith("hooks: {unsure: ask}\n"), worldWith("hooks: {unsure: deny}\n")];
    for (const command of unreadable) {
      expect((await ask(asking, command)).decision).toBe("ask");
      expect((await ask(denying, command)).decision).toBe("deny");
      expect((await ask(denying, command, { mode: "bypassPermissions" })).decision).toBe("deny");
    }
  });

  it("becomes what silence becomes: a question where the settings ask about everything", async () => {
    expect((await ask(worldWith("hooks: {default: ask}\n"), "cat $FILE")).decision).toBe("ask");
    expect((await ask(worldWith("hooks: {default: deny}\n"), "cat $FILE")).decision).toBe("deny");
  });

  it("cannot be talked out of a stricter setting by a project's file, nor can that say who is asked", async () => {
    const world = worldWith("hooks: {unsure: deny, ask: queue}\n");
    world.write("toolgate.yaml", "hooks: {unsure: auto, ask: agent}\n");
    expect((await ask(world, "cat $FILE")).decision).toBe("deny");
    expect((await ask(world, "deploy prod")).decision).toBe("deny");
    const stricter = worldWith();
    stricter.write("toolgate.yaml", "hooks: {unsure: deny}\n");
    expect((await ask(stricter, "cat $FILE")).decision).toBe("deny");
  });

  it("never lifts a rule that is sure, in any mode", async () => {
    const world = worldWith();
    for (const mode of [...promptingModes, ...otherModes]) {
      for (const command of [
        "cat .env",
        "cat $FILE .env",
        "ssh $HOST",
        "python3 -c 1; ssh host",
        "ls; cat .env",
      ])
        expect([command, mode, (await ask(world, command, { mode })).decision]).toEqual([
          command,
          mode,
          "deny",
        ]);
    }
  });

  it("never reaches toolgate's own files without a question", async () => {
    const world = worldWith();
    const own = [
      "find ~ | xargs cat",
      "X=approve; toolgate approvals $X abc",
      "cat ~/.local/state/toolgate/token",
      "cp -r ~/.local/state/toolgate /tmp/x",
    ];
    for (const command of own) expect((await ask(world, command)).decision).toMatch(/^(ask|deny)$/);
  });
});
