/** cs.ticket_create: a new ticket of a user, in the tenant of that user. */
import { failed } from "../../../core/call/tool-answer.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { cutAnswer } from "../fit-lines.ts";
import { closed } from "../input-fields.ts";
import { ticketLine } from "./answers.ts";
import { id, line, tags, text } from "./fields.ts";
import type { Desk } from "./ports.ts";
import { ticketPriorities } from "./store.ts";

export function createTicketCreate(desk: Desk) {
  return defineBuiltin("cs.ticket_create", {
    title: "Create a ticket",
    description: "Creates an open ticket for a user; it belongs to that user's tenant.",
    input: closed(["requester", "subject", "body"], {
      requester: { ...id, description: "The user it is for." },
      subject: line,
      body: { ...text, description: "What it is about." },
      priority: { enum: ticketPriorities, description: "Default normal." },
      tags,
    }),
    synonyms: { requester: ["requester_id", "requesterId", "user_id"] },
    annotations: { destructiveHint: false },
    run: ({ requester, subject, body, priority = "normal", tags: marks = [] }, context) =>
      desk.at(context, async ({ store, scope }) => {
        const draft = { requesterId: requester, subject, body, priority, tags: marks };
        const created = await store.createTicket(scope, draft);
        if (created.ok) return cutAnswer(`Created ${ticketLine(created.ticket)}`, created.ticket);
        const { code } = created;
        if (code === "exists") return failed({ code, message: "The new ticket's id was taken. Call again." });
        const message = `There is no user ${JSON.stringify(requester)}. Find one with cs.user_list.`;
        return failed({ code, message });
      }),
  });
}
