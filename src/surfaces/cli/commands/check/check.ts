/** `toolgate check`: may this call run? The same code as the hook, loaded alone. */
import { agentNames, findAgent, openAgent } from "../../../../agents/all-agents.ts";
import { messageOf } from "../../../../core/call/errors.ts";
import { visible } from "../../../../core/text/visible.ts";
import { howToBeAsked } from "../../../hook/process/answer.ts";
import { recordRefused, runHook } from "../../../hook/process/run-hook.ts";
import { type CliIo, exitCodes, Interrupted } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { type CallWords, callInWords } from "../explain/call-in-words.ts";
import type { CheckArgs } from "./check-args.ts";

/** Words are typed by people; agents send JSON. */
export async function runCheck(
  { agent: name, config, ...words }: CheckArgs & CallWords,
  io: CliIo,
): Promise<number> {
  const typed = words.tool === undefined ? undefined : callInWords(words);
  if (typed?.ok === false) {
    io.err(`${typed.message}\n`);
    return exitCodes.blocked;
  }
  const readCall = async () => (typed === undefined ? readStdin(io) : typed.text);
  const known = findAgent(name);
  const agent = await openAgent(known);
  if (name !== undefined && known === undefined) {
    const message = `There is no agent "${visible(name)}" here; --agent takes ${agentNames.join(", ")}. The call is denied.`;
    const request = { agent, stdin: await readCall(), env: io.env, cwd: io.cwd };
    recordRefused(request, "bad_call", message);
    io.err(`${message}\n`);
    return exitCodes.blocked;
  }
  if (typed === undefined && io.stdinIsTerminal === true) io.err(asTyped(waiting, io));
  const answer = await runHook({
    agent,
    isNoAgent: true,
    ...(config !== undefined && { configFile: config }),
    stdin: await readCall(),
    env: io.env,
    cwd: io.cwd,
  });
  io.out(answer.stdout);
  // An agent hands it to its model; a person is told what to type here. The rest of it others wrote.
  const isPerson = typed !== undefined && io.isTerminal;
  io.err(isPerson ? answer.stderr.replace(howToBeAsked, asTyped(howToBeAsked, io)) : answer.stderr);
  // Silence is for agents; a person would wonder whether anything happened.
  if (typed !== undefined && io.isTerminal && answer.exitCode === exitCodes.ok && answer.stdout === "")
    io.err("No rule stops this call.\n");
  if (typed !== undefined && answer.nobodyAsked === true) io.err(asTyped(ownPrompts, io));
  return answer.exitCode;
}

async function readStdin(io: CliIo): Promise<string | { readonly problem: string }> {
  try {
    return await io.readStdin();
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return { problem: messageOf(error) };
  }
}

const ownPrompts = `Typed here, there is no agent to ask. One with prompts of its own asks there instead of refusing: toolgate explain says more.
`;

const waiting = `Waiting for one tool call as JSON on standard input (Ctrl-D ends it), for example:
  {"tool_name":"WebFetch","tool_input":{"url":"https://github.com/nodejs/node/pull/1"}}
Or without JSON: toolgate check WebFetch https://github.com/nodejs/node/pull/1
`;
