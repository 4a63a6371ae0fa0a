/**
 * One forbidden call through the real client: it reads its own files, a model on loopback that we play makes the call, and what the client
 * tells that model is what counts. Only this shows that what we see in the files is what the client makes of them.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SetupFinding } from "../../../../agents/setup-finding.ts";
import type { ProcessEnd } from "../../../../safe/process/spawn.ts";
import type { ModelToolResult } from "../../../../testing/scripted-model/conversation.ts";
import type { ScriptedModel } from "../../../../testing/scripted-model.ts";
import { canaryFolders, canaryRules } from "./canary-world.ts";
import type { Client } from "./client.ts";

const check = "client-canary";
const timeoutMs = 60_000;

export async function releaseClientCanary(client: Client): Promise<SetupFinding> {
  const { createScriptedModel } = await import("../../../../testing/scripted-model.ts");
  const folder = mkdtempSync(join(tmpdir(), "toolgate-doctor-"));
  const word = randomBytes(8).toString("hex");
  // Nothing happens if it is not stopped.
  const calls = {
    Bash: { command: `true ${word}` },
    Read: { file_path: join(folder, word) },
  };
  const model = await createScriptedModel({
    script: ({ tools, toolResults }) => {
      if (toolResults.length > 0) return "Done.";
      const tool = tools.includes("Bash") ? "Bash" : "Read";
      return { tool, input: calls[tool] };
    },
  });
  try {
    const env = { ...elsewhere(model.url), ...canaryFolders(folder, rulesFor(word)) };
    const end = await client.run(sessionArgs(env), { timeoutMs, env });
    return judge(end, model, word);
  } finally {
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rulesFor(word: string): string {
  return canaryRules(
    [
      { tool: "Bash", field: "command", pattern: word },
      { tool: "Read", field: "file_path", pattern: word },
    ],
    word,
  );
}

/** Nothing of it is kept, no server of the user's is started, and no settings file can send it to a real model. */
function sessionArgs(env: Readonly<Record<string, string>>): string[] {
  return [
    ...["-p", "toolgate doctor tries its hook.", "--output-format", "json"],
    ...["--no-session-persistence", "--strict-mcp-config"],
    ...["--settings", JSON.stringify({ env })],
  ];
}

function elsewhere(url: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "toolgate-doctor",
    ANTHROPIC_AUTH_TOKEN: "",
    CLAUDE_CODE_USE_BEDROCK: "",
    CLAUDE_CODE_USE_VERTEX: "",
    CLAUDE_CODE_USE_FOUNDRY: "",
    CLAUDE_CODE_MAX_RETRIES: "0",
    NO_PROXY: "127.0.0.1",
    no_proxy: "127.0.0.1",
  };
}

function judge(end: ProcessEnd, model: ScriptedModel, word: string): SetupFinding {
  const [result] = model.toolResults();
  if (result === undefined) return notTried(end);
  if (isBlocked(result, word))
    return {
      check,
      level: "ok",
      message: "Claude Code itself was started here, made a call that a rule forbids, and was stopped.",
    };
  if (result.isError)
    return {
      check,
      level: "warning",
      message: `Claude Code was started here and made a call that a rule forbids; it was stopped, but not by that rule: ${shortened(result.text)}`,
      todo: "Look at what stopped it; whether toolgate would have is not known.",
    };
  return {
    check,
    level: "problem",
    message:
      "Claude Code was started here and ran a call that a rule forbids: what it makes of its files does not lead to toolgate.",
    todo: "Look at the other findings, at claude doctor, and at /hooks in a session.",
  };
}

function isBlocked({ isError, text }: ModelToolResult, word: string): boolean {
  return isError && text.includes(`canary ${word}`);
}

function notTried(end: ProcessEnd): SetupFinding {
  const why = !end.started
    ? end.message
    : end.timedOut
      ? `it made no call within ${timeoutMs / 1000} seconds.`
      : `it ended with ${end.exitCode ?? "a signal"} before its first call. ${shortened(end.stderr || end.stdout)}`;
  return {
    check,
    level: "warning",
    message: `Claude Code could not be tried: ${why.trim()}`,
    todo: "What it makes of its files is not known; try a forbidden call in a session.",
  };
}

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
