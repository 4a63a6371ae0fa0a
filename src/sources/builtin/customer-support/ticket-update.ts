/** cs.ticket_update: changes a ticket and may add a comment, only if nobody changed it since it was read. */
import { answered } from "../../../core/call/tool-answer.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { cutAnswer } from "../fit-lines.ts";
import { closed, flag } from "../input-fields.ts";
import { notThere, ticketLine } from "./answers.ts";
import { id, line, tags, text } from "./fields.ts";
import type { Desk } from "./ports.ts";
import { ticketPriorities, ticketStatuses } from "./store.ts";

export function createTicketUpdate(desk: Desk) {
  return defineBuiltin("cs.ticket_update", {
    title: "Update a ticket",
    description:
      "Changes a ticket and may add a comment. `version` is the one that was read: if somebody changed the ticket since, nothing happens and the answer says so.",
    input: closed(["id", "version"], {
      id: { ...id, description: "The ticket's id." },
      version: { type: "integer", minimum: 1, description: "The version that cs.ticket_get showed." },
      status: { enum: ticketStatuses },
      priority: { enum: ticketPriorities },
      assignee: { ...line, type: ["string", "null"], description: "Who works on it; null for nobody." },
      subject: line,
      tags: { ...tags, description: "All tags; replaces those it has." },
      comment: text,
      internal: flag("The comment is for the staff, not for the customer. Default true."),
    }),
    synonyms: { id: ["ticket", "ticket_id", "ticketId"] },
    annotations: { destructiveHint: false },
    validate: ({ id: _id, version: _version, internal, ...changes }) => {
      if (internal !== undefined && changes.comment === undefined) return "internal needs a comment";
      return Object.keys(changes).length === 0 ? "name at least one thing to change" : undefined;
    },
    run: ({ id: wanted, version, comment, internal = true, ...changes }, context) =>
      desk.at(context, async ({ store, scope }) => {
        const said = comment && { author: context.caller.id, body: comment, internal };
        const change = { ...changes, ...(said && { comment: said }) };
        const updated = await store.updateTicket(scope, wanted, version, change);
        if (updated.ok) return cutAnswer(`Updated ${ticketLine(updated.ticket)}`, updated.ticket);
        if (updated.code === "not_found") return notThere("ticket", wanted);
        const { code, currentVersion } = updated;
        const message = `The ticket is at version ${currentVersion}, not ${version}: it was changed meanwhile. Read it with cs.ticket_get and decide anew.`;
        return answered(message, { code, currentVersion }, true);
      }),
  });
}
