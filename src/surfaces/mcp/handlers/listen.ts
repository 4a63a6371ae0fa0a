/** subscriptions/listen: a request of a modern client that stays open, and on which changes are told. */

import type { JsonObject } from "../../../core/input/json.ts";
import { onAbort } from "../../../core/run/abort.ts";
import { metaKeys } from "../../../mcp/messages.ts";
import type { Answer } from "../../../mcp/peer.ts";
import { notificationOf } from "../changes.ts";
import { type Exchange, objectParam, wrongParams } from "../exchange.ts";
import type { ServerContext } from "../server-context.ts";
import { ResourceWatch } from "./resource-watch.ts";

const lists = ["tools", "prompts", "resources"] as const;

export async function listen(
  { request, connection, transport }: Exchange,
  { changes, reach, stamps, closing }: ServerContext,
): Promise<Answer> {
  const { id, signal, params } = request;
  const { peer } = connection;
  if (params.notifications === undefined) throw wrongParams('"notifications" says what to listen to.');
  const wanted = objectParam(params, "notifications");
  const uris = urisOf(wanted);
  const watch = new ResourceWatch(reach, transport);
  const heard = new Set(lists.filter((list) => wanted[`${list}ListChanged`] === true));
  const taken: string[] = [];
  for (const uri of uris) {
    try {
      await watch.add(uri, signal);
      taken.push(uri);
    } catch {
      // What cannot be watched is missing in the acknowledgement.
    }
  }
  const meta = { _meta: { [metaKeys.subscriptionId]: id } };
  const granted = {
    ...Object.fromEntries([...heard].map((list) => [`${list}ListChanged`, true])),
    ...(taken.length > 0 && { resourceSubscriptions: taken }),
  };
  peer.notify("notifications/subscriptions/acknowledged", { ...meta, notifications: granted }, id);
  const stop = changes.on((change) => {
    const isWanted = change.what === "resource-updated" ? watch.isAbout(change) : heard.has(change.what);
    if (!isWanted) return;
    const about = change.what === "resource-updated" ? { uri: change.uri } : {};
    peer.notify(notificationOf(change), { ...meta, ...about }, id);
  });
  await new Promise<void>((resolve) => {
    onAbort(signal, resolve);
    onAbort(closing, resolve);
  });
  stop();
  watch.close();
  return stamps.result("modern", meta);
}

function urisOf({ resourceSubscriptions: uris = [] }: JsonObject): readonly string[] {
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === "string"))
    throw wrongParams('"resourceSubscriptions" must be a list of texts.');
  return uris;
}
