/**
 * One forbidden call through the real client: it reads its own files, a model on loopback that we play makes
 * the call, and what the client tells that model counts. Only this shows what the client makes of its files.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentClient, ClientEnd, ClientProgram, TrialSession } from "../../../../agents/agent-client.ts";
import type { ProjectPlace } from "../../../../agents/agent-setup.ts";
import { ok, problem, type SetupFinding, warning } from "../../../../agents/setup-finding.ts";
import type { ModelToolResult } from "../../../../testing/scripted-model/conversation.ts";
import { canaryFolders, canaryRules } from "./canary-world.ts";

const check = "client-canary";
const timeoutMs = 60_000;

export interface TriedClient {
  readonly title: string;
  readonly client: AgentClient;
  readonly program: ClientProgram;
  readonly place: ProjectPlace;
}

export async function releaseClientCanary(tried: TriedClient): Promise<SetupFinding> {
  const { client, place } = tried;
  const { createScriptedModel } = await import("../../../../testing/scripted-model.ts");
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-doctor-")));
  const word = randomBytes(8).toString("hex");
  // No harm is done if the call is not stopped.
  const calls = client.trialCalls(folder, word);
  const model = await createScriptedModel({
    script: ({ tools, toolResults }) => {
      const call = calls.find(({ tool }) => tools.includes(tool)) ?? calls.at(-1);
      // Without tools something else is asked, such as a title for the session.
      if (tools.length === 0 || toolResults.length > 0 || call === undefined) return "Done.";
      const { tool, namespace, input } = call;
      return { tool, ...(namespace !== undefined && { namespace }), input };
    },
  });
  try {
    const env = canaryFolders(folder, canaryRules(calls, word, word));
    const prompt = "toolgate doctor tries its hook.";
    const end = await runSession(client.session({ prompt, modelUrl: model.url, env, folder, place }), {
      tried,
      folder,
    });
    const ran = calls.some(({ leaves }) => leaves !== undefined && existsSync(join(folder, leaves)));
    const [result] = model.toolResults();
    if (ran) return notStopped(tried);
    return result === undefined ? notTried(end, tried) : judge(result, word, tried);
  } finally {
    await model.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function runSession(
  { args, env, cwd, files = [], before = [] }: TrialSession,
  { tried: { program }, folder }: { readonly tried: TriedClient; readonly folder: string },
): Promise<ClientEnd> {
  for (const { path, text, isExecutable = false } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, { mode: isExecutable ? 0o700 : 0o600 });
  }
  const options = { timeoutMs, env, ...(cwd !== undefined && { cwd }) };
  for (const line of before) {
    const end = await program.run(line, options);
    if (!end.started || end.timedOut || end.exitCode !== 0) return end;
  }
  return program.run(args, options);
}

function judge({ isError, text }: ModelToolResult, word: string, tried: TriedClient): SetupFinding {
  const { title } = tried;
  // Not every protocol has a mark for errors; the text of the rule is nowhere but in its denial.
  if (text.includes(`canary ${word}`))
    return ok(check, `${title} itself was started here, made a call that a rule forbids, and was stopped.`);
  if (isError)
    return warning(
      check,
      `${title} was started here and made a call that a rule forbids; it was stopped, but not by that rule: ${shortened(text)}`,
      "Look at what stopped it; whether toolgate would have is not known.",
    );
  return notStopped(tried);
}

function notStopped({ title, client }: TriedClient): SetupFinding {
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
