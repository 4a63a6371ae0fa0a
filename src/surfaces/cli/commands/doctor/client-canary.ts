/**
 * One forbidden call through the real client: it reads its own files, a model on loopback that we play makes
 * the call, and what the client tells that model counts. Only this shows what the client makes of its files.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentClient, ClientEnd, ClientProgram } from "../../../../agents/agent-setup.ts";
import { ok, problem, type SetupFinding, warning } from "../../../../agents/setup-finding.ts";
import type { ModelToolResult } from "../../../../testing/scripted-model/conversation.ts";
import { canaryFolders, canaryRules } from "./canary-world.ts";

const check = "client-canary";
const timeoutMs = 60_000;

export interface TriedClient {
  readonly title: string;
  readonly client: AgentClient;
  readonly program: ClientProgram;
}

export async function releaseClientCanary(tried: TriedClient): Promise<SetupFinding> {
  const { client, program } = tried;
  const { createScriptedModel } = await import("../../../../testing/scripted-model.ts");
  const folder = mkdtempSync(join(tmpdir(), "toolgate-doctor-"));
  const word = randomBytes(8).toString("hex");
  // Nothing happens if the call is not stopped.
  const calls = client.trialCalls(folder, word);
  const model = await createScriptedModel({
    script: ({ tools, toolResults }) => {
      const call = calls.find(({ tool }) => tools.includes(tool)) ?? calls.at(-1);
      if (toolResults.length > 0 || call === undefined) return "Done.";
      return { tool: call.tool, input: call.input };
    },
  });
  try {
    const folders = canaryFolders(folder, canaryRules(calls, word, word));
    const { args, env } = client.session("toolgate doctor tries its hook.", model.url, folders);
    const end = await program.run(args, { timeoutMs, env });
    const [result] = model.toolResults();
    return result === undefined ? notTried(end, tried) : judge(result, word, tried);
  } finally {
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function judge({ isError, text }: ModelToolResult, word: string, tried: TriedClient): SetupFinding {
  const { title, client } = tried;
  if (isError && text.includes(`canary ${word}`))
    return ok(check, `${title} itself was started here, made a call that a rule forbids, and was stopped.`);
  if (isError)
    return warning(
      check,
      `${title} was started here and made a call that a rule forbids; it was stopped, but not by that rule: ${shortened(text)}`,
      "Look at what stopped it; whether toolgate would have is not known.",
    );
  return problem(
    check,
    `${title} was started here and ran a call that a rule forbids: what it makes of its files does not lead to toolgate.`,
    `Look at the other findings, at ${client.ownDiagnosis}.`,
  );
}

function notTried(end: ClientEnd, { title }: TriedClient): SetupFinding {
  const why = !end.started
    ? end.message
    : end.timedOut
      ? `it made no call within ${timeoutMs / 1000} seconds.`
      : `it ended with ${end.exitCode ?? "a signal"} before its first call. ${shortened(end.stderr || end.stdout)}`;
  return warning(
    check,
    `${title} could not be tried: ${why.trim()}`,
    "What it makes of its files is not known; try a forbidden call in a session.",
  );
}

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
