/** Upstream MCP servers: how they stand, a new start, and what waits for a person. */
import { shownName } from "../../../core/text/visible.ts";
import type { Store } from "../../../open/open-store.ts";
import type { OpenUpstreams } from "../../../open/open-upstreams.ts";
import { acceptedNote } from "../../../sources/upstream/pins/accepted-note.ts";
import { json } from "../../http/answer.ts";
import { type ProblemAnswer, problem } from "../../http/problem.ts";
import type { UpstreamAccepted } from "../contract.ts";
import { defineRoute } from "../rest-route.ts";
import {
  acceptBody,
  upstream,
  upstreamAccepted,
  upstreamList,
  upstreamReview,
} from "../schemas/upstreams.ts";

const name = { name: "The server's name." };

const listUpstreams = defineRoute({
  method: "GET",
  path: "/api/upstreams",
  right: "read",
  summary: "All upstream MCP servers, and how they stand",
  answers: { 200: upstreamList },
  handle: (_request, { upstreams }) => json({ upstreams: [...(upstreams?.upstreams.status() ?? [])] }),
});

const restartUpstream = defineRoute({
  method: "POST",
  path: "/api/upstreams/:name/restart",
  right: "admin",
  summary: "Ends a server and starts it anew",
  description:
    "Calls of it that run fail. Only this process's; `toolgate upstreams restart` tells all of them.",
  params: name,
  answers: { 200: upstream },
  async handle({ params }, { upstreams }) {
    if (upstreams === undefined || (await upstreams.review(params.name)) === undefined)
      return noSuch(params.name);
    return json(await upstreams.upstreams.restart(params.name));
  },
});

const reviewUpstream = defineRoute({
  method: "GET",
  path: "/api/upstreams/:name/review",
  right: "admin",
  summary: "Tools that are new or have changed, as they were seen last",
  params: name,
  answers: { 200: upstreamReview },
  async handle({ params }, { upstreams }) {
    const items = await upstreams?.review(params.name);
    return items === undefined ? noSuch(params.name) : json({ items: [...items] });
  },
});

const acceptUpstream = defineRoute({
  method: "POST",
  path: "/api/upstreams/:name/accept",
  right: "admin",
  summary: "Accepts definitions, exactly as the review shows them",
  description: "They count at once, in every toolgate process of the user.",
  params: name,
  body: acceptBody,
  answers: { 200: upstreamAccepted },
  async handle({ params, body, holder }, { upstreams, store }) {
    if (upstreams === undefined || (await upstreams.review(params.name)) === undefined)
      return noSuch(params.name);
    return json(await accept({ upstreams, store, by: holder.caller.id }, params.name, body.items));
  },
});

export const upstreamRoutes = [listUpstreams, restartUpstream, reviewUpstream, acceptUpstream];

async function accept(
  { upstreams, store, by }: { readonly upstreams: OpenUpstreams; readonly store: Store; readonly by: string },
  server: string,
  items: readonly { readonly tool: string; readonly digest: string }[],
): Promise<UpstreamAccepted> {
  const taken = await upstreams.accept(server, items);
  if (taken.length > 0) {
    const { message, ...told } = acceptedNote(server, taken);
    const who = { at: Date.now(), caller: by, surface: "http" };
    await store.ledger.note({ ...who, ...told, message: `${by} ${message}` });
  }
  const accepted = taken.map(({ tool }) => tool);
  const changedAgain = items.map(({ tool }) => tool).filter((tool) => !accepted.includes(tool));
  return { accepted, changedAgain };
}

function noSuch(server: string): ProblemAnswer {
  return problem("not_found", `There is no upstream ${shownName(server)}.`, {
    hint: "GET /api/upstreams lists them.",
  });
}
