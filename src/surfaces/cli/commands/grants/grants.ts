/** `toolgate grants`: the lasting approvals, and how to take them back. */
import type { Grant } from "../../../../core/call/approval.ts";
import { shownDuration } from "../../../../core/text/duration.ts";
import { visible } from "../../../../core/text/visible.ts";
import { explainForPeople } from "../../agent-around.ts";
import { openOwnStore } from "../../open/own-store.ts";
import {
  type CliIo,
  exitCodes,
  fail,
  type JsonOption,
  type ListOptions,
  printList,
} from "../../terminal/io.ts";
import { formatTable } from "../../terminal/table.ts";
import { shownId } from "../approvals/describe-approval.ts";
import { answererName } from "../approvals/who-answers.ts";

export async function runGrantsList(options: ListOptions, io: CliIo): Promise<number> {
  await using store = await openOwnStore(io);
  const grants = await store.grants.list();
  if (printList(grants, options, io)) return exitCodes.ok;
  if (grants.length === 0) io.out("There are no lasting approvals.\n");
  else io.out(grantsTable(grants, Date.now(), io));
  return exitCodes.ok;
}

interface RevokeOptions extends JsonOption {
  readonly id?: string | undefined;
  readonly all?: boolean | undefined;
}

export async function runGrantsRevoke({ id, all, json }: RevokeOptions, io: CliIo): Promise<number> {
  if ((id === undefined) === (all !== true))
    return fail("Say which one to revoke, or --all: toolgate grants revoke ID", io);
  const refused = explainForPeople("which approvals last", io);
  if (refused !== undefined) return fail(refused, io);
  await using store = await openOwnStore(io);
  const grants = await store.grants.list();
  const chosen = all === true ? grants : grants.filter((grant) => grant.id.startsWith(id ?? ""));
  const problem = all === true ? undefined : explainNotOne(id ?? "", chosen);
  if (problem !== undefined) return fail(problem, io);
  const revoked: Grant[] = [];
  // Another process may have been quicker; the grant is gone either way.
  for (const grant of chosen) if (await store.grants.revoke(grant.id, answererName())) revoked.push(grant);
  if (json === true) io.out(`${JSON.stringify({ revoked })}\n`);
  else if (revoked.length === 0) io.out("There was nothing to revoke.\n");
  else
    io.out(
      revoked
        .map(
          ({ id: gone, toolId, caller }) =>
            `Revoked: ${visible(toolId)} for ${visible(caller)} (${shownId(gone)}).\n`,
        )
        .join(""),
    );
  return exitCodes.ok;
}

function explainNotOne(prefix: string, found: readonly Grant[]): string | undefined {
  if (prefix === "" || found.length === 0)
    return `No lasting approval begins with "${visible(prefix)}"; toolgate grants list shows them.`;
  if (found.length === 1) return undefined;
  const which = found.map(({ id, toolId }) => `${shownId(id)} (${visible(toolId)})`).join(", ");
  return `Several begin with "${visible(prefix)}": ${which}. Type more of the id.`;
}

function grantsTable(grants: readonly Grant[], now: number, io: CliIo): string {
  const rows = grants.map((grant) => [
    shownId(grant.id),
    grant.toolId,
    grant.caller,
    whereItHolds(grant),
    grant.inputHash === undefined ? "any" : "one",
    grant.by,
    grant.expiresAt === undefined ? "never" : `in ${shownDuration(grant.expiresAt - now)}`,
  ]);
  return formatTable(["ID", "TOOL", "FOR", "HOLDS IN", "INPUT", "GRANTED BY", "ENDS"], rows, io);
}

function whereItHolds({ scope, sessionId, project }: Grant): string {
  if (scope === "session") return `session ${sessionId}`;
  return scope === "project" ? `project ${project}` : "everywhere";
}
