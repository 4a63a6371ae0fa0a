/** Sessions and the items of their logs, as they go over the wire. */
import { defined } from "../../core/input/defined.ts";
import type { PromptRecord, SessionItem, SessionRecord } from "../../core/ports/sessions.ts";
import type { Sessions } from "../../sessions/create-sessions.ts";
import { cursorOf, itemEvent, seqOf, shownSession } from "../../sessions/session-event.ts";
import type { RunnerList, Session, SessionPrompt, SessionView } from "./contract.ts";

export function toSession(record: SessionRecord): Session {
  return shownSession(record) as unknown as Session;
}

export async function toRunners({
  runners,
  defaultRunner,
}: Pick<Sessions, "runners" | "defaultRunner">): Promise<RunnerList> {
  const looked = await Promise.all(
    runners.map(async (runner) => {
      const { name, title, offers } = runner;
      return { name, title, offers: [...offers], missing: await runner.explainMissing?.() };
    }),
  );
  const standard = defaultRunner ?? looked.find(({ missing }) => missing === undefined)?.name;
  const isDefault = (name: string) => (name === standard ? (true as const) : undefined);
  return { runners: looked.map((one) => defined({ ...one, default: isDefault(one.name) })) };
}

export interface ItemPage {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** Throws a RangeError if `after` is no place in the log. */
export async function toView(
  sessions: Pick<Sessions, "items" | "prompts">,
  record: SessionRecord,
  { after, limit = 500 }: ItemPage,
): Promise<SessionView> {
  const from = after === undefined ? 0 : seqOf(record, after);
  if (from === undefined) throw new RangeError("`after` is no place in this session's log.");
  const items = limit === 0 ? [] : await sessions.items(record.id, { after: from, limit });
  const last = items.at(-1)?.seq ?? from;
  const prompts = await sessions.prompts(record.id);
  const view = {
    session: toSession(record),
    items: items.map((one) => shownItem(record, one)),
    next: last < record.lastSeq ? cursorOf(record.epoch, last) : undefined,
    prompts: prompts.filter(({ state }) => state === "queued").map(shownPrompt),
    cursor: cursorOf(record.epoch, last),
  };
  return defined(view) as unknown as SessionView;
}

/** As the stream of events has it. */
function shownItem(session: Pick<SessionRecord, "id" | "epoch">, item: SessionItem) {
  const { id, event, data } = itemEvent(session, item);
  return { id, kind: event, data };
}

function shownPrompt({ id, text, by, at, key }: PromptRecord): SessionPrompt {
  return defined({ id, text, by, at, key });
}
