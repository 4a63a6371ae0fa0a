/** `toolgate tools call`: runs one tool through the gate, with everything that the gate does about it. */
import type { ApprovalRequest } from "../../../../core/call/approval.ts";
import type { Mode } from "../../../../core/call/call.ts";
import type { ErrorCode } from "../../../../core/call/errors.ts";
import { parseDuration, shownDuration } from "../../../../core/text/duration.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { OpenTools } from "../../../../open/open-tools.ts";
import { findJsonError } from "../../../../safe/files/documents/json-error.ts";
import { refusedRecord } from "../../../hook/refused-record.ts";
import { outcomeJson } from "../../../rest/outcome-json.ts";
import { agentAround } from "../../agent-around.ts";
import { describeNotes } from "../../open/effective-config.ts";
import { openOwnStore } from "../../open/own-store.ts";
import { openToolGate, type ToolOptions } from "../../open/tool-options.ts";
import { describeContent, describeFailure } from "../../terminal/call-outcome.ts";
import { type CliIo, exitCodes, printJson, Told } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { shownPath } from "../../terminal/shown.ts";
import { createTerminalApprover } from "../../terminal/terminal-approver.ts";
import { createTerminalQuestioner } from "../../terminal/terminal-questioner.ts";
import { shownId } from "../approvals/describe-approval.ts";
import { maxCallLength } from "../explain/read-call.ts";
import { findTool } from "./find-tool.ts";

interface ToolsCallOptions extends ToolOptions {
  readonly name: string;
  /** JSON, or `-` for standard input. By default `{}`. */
  readonly input?: string | undefined;
  readonly mode?: Mode | undefined;
  /** Approve whatever a rule asks about. */
  readonly yes?: boolean | undefined;
  /** How long to wait for an answer from another process. */
  readonly wait?: string | undefined;
}

export async function runToolsCall(options: ToolsCallOptions, io: CliIo): Promise<number> {
  const read = readInput(await inputText(options.input, io));
  if (!read.ok) return refuse(options, { code: "bad_call", message: read.message }, io);
  const waitMs = options.wait === undefined ? undefined : parseDuration(options.wait);
  if (options.wait !== undefined && waitMs === undefined) {
    const message = `--wait takes a duration such as 90s, 5m or 1h, not "${visible(options.wait)}".\n`;
    return refuse(options, { code: "bad_call", message }, io);
  }
  const agent = options.yes === true ? agentAround(io) : undefined;
  if (agent !== undefined) {
    const message = `This runs inside an agent (${agent}), so --yes would be the agent's own yes. Use --wait 5m, and a person answers with toolgate approvals.\n`;
    return refuse(options, { code: "no_approver", message }, io);
  }
  const approver = createTerminalApprover(options, io) ?? (waitMs === undefined ? undefined : "desk");
  await using open = await openToolGate(options, io, {
    approver,
    approvalTimeoutMs: waitMs,
    durable: true,
    aboutTool: options.name,
    questioner: createTerminalQuestioner(io),
    // Nobody waits for a server that the call is not about.
    upstreams: /__|^(?:mcp|tools)[._]/.test(options.name) ? "first-sight" : "known",
  }).catch(async (error: unknown) => {
    const message = "The configuration cannot be used.\n";
    if (error instanceof Told) await refuse(options, { code: "internal_error", message }, io);
    throw error;
  });
  const { gate } = open;
  if (approver === "desk") gate.events.on("approval-request", ({ request }) => tellWaiting(request, io));
  const registered = findTool(gate, options.name, io);
  await tellRecovered(open, io);
  const outcome = await gate.dispatch({
    tool: options.name,
    input: read.input,
    cwd: io.cwd,
    mode: options.mode ?? "act",
    surface: "cli",
    signal: io.signal,
  });
  // What there is instead was said above; the attempt is on record.
  if (registered === undefined) return exitCodes.failed;
  if (options.json === true) printJson(outcomeJson(outcome), io);
  else if (outcome.ok) io.out(describeContent(outcome.result, io));
  if (options.json !== true) io.err(describeNotes(outcome.contexts));
  if (!outcome.ok) io.err(describeFailure(outcome, registered.category, io));
  return outcome.ok && !outcome.result.isError ? exitCodes.ok : exitCodes.failed;
}

/** The call ends before there is a gate to refuse it; the attempt is recorded all the same. */
async function refuse(
  { name }: ToolsCallOptions,
  { code, message }: { readonly code: ErrorCode; readonly message: string },
  io: CliIo,
): Promise<number> {
  io.err(asTyped(message, io));
  await using store = await openOwnStore(io);
  const call = { surface: "cli", kind: "call", caller: "local", tool: name, cwd: io.cwd } as const;
  await store.ledger.close(refusedRecord({ ...call, code, message: message.trim() }));
  return exitCodes.failed;
}

function tellWaiting({ id, toolId, reason, expiresAt }: ApprovalRequest, io: CliIo): void {
  const left = shownDuration(expiresAt - Date.now());
  io.err(
    `${visible(toolId)} waits for an approval (${left}): ${visible(reason)}\n${asTyped(`Answer in another terminal: toolgate approvals approve ${shownId(id)}`, io)}\n`,
  );
}

async function inputText(given: string | undefined, io: CliIo): Promise<string> {
  if (given !== "-") return given ?? "{}";
  if (io.stdinIsTerminal === true)
    io.err("Waiting for the tool's input as JSON, on standard input (Ctrl-D ends it).\n");
  return io.readStdin({ maxBytes: maxCallLength });
}

/** The gate checks the input; here it only has to be JSON. */
function readInput(
  text: string,
): { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly message: string } {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    return { ok: true, input: JSON.parse(json) };
  } catch {
    const { offset, message } = findJsonError(json);
    const near = visible(json.slice(Math.max(0, offset - 20), offset + 20), { maxLength: 80 });
    const where = json.trim() === "" ? "it is empty" : `${message}, at character ${offset + 1}, near ${near}`;
    const form = `Give the input as one word of JSON: toolgate tools call fs.read '{"path":"README.md"}'`;
    return { ok: false, message: `The input is not valid JSON: ${where}.\n${form}\n` };
  }
}

/** An interrupted change to several files has been undone by now: the user should know. */
async function tellRecovered({ recovered }: OpenTools, io: CliIo): Promise<void> {
  for (const { outcome, files, left, why } of await recovered) {
    if (outcome !== "undone" && outcome !== "postponed") continue;
    const named = files.map((file) => shownPath(file, io.cwd)).join(", ");
    const what = outcome === "undone" ? "was undone" : "could not be undone yet";
    const others =
      left.length === 0
        ? ""
        : ` Left alone, because they changed since: ${left.map((file) => shownPath(file, io.cwd)).join(", ")}.`;
    io.err(
      `note: A change that was interrupted ${what}: ${named}.${others}${why === undefined ? "" : ` ${visible(why)}`}\n`,
    );
  }
}
