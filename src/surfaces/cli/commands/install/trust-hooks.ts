/** Agents that start a hook only after a person has approved it: explained, and done only on an explicit yes. */
import type { SetupRequest, TrustStep } from "../../../../agents/agent-setup.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { CliIo } from "../../terminal/io.ts";
import { findClient } from "../doctor/client.ts";
import type { KnownAgent } from "./on-machine.ts";
import { atTerminal, type Person } from "./person.ts";
import type { AgentEnd } from "./setup-report.ts";

export interface TrustOptions {
  /** The yes was given with the command. */
  readonly trust?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly person?: Person | undefined;
}

/** Undefined: this agent asks for nothing. */
export async function trustHooks(
  { setup }: KnownAgent,
  request: SetupRequest,
  options: TrustOptions,
  io: CliIo,
): Promise<AgentEnd["trust"]> {
  const step = setup.trust?.(request);
  if (step === undefined) return undefined;
  if (request.dryRun === true || !(await isWanted(step, options, io)))
    return { done: false, message: step.otherwise };
  const client = setup.client === undefined ? undefined : findClient(setup.client, request, io);
  const end = await step.run({ client, signal: io.signal });
  return end.ok
    ? { done: true, message: step.does }
    : { done: false, message: `${end.message} ${step.otherwise}` };
}

async function isWanted(
  { question, does }: TrustStep,
  { trust, json, person = atTerminal }: TrustOptions,
  io: CliIo,
): Promise<boolean> {
  if (trust !== undefined || json === true) return trust === true;
  if (io.isTerminal && io.stdinIsTerminal === true) io.out(`${visible(does)}\n`);
  return (await person.confirm(question, io)) === true;
}
