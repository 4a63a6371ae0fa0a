/** What every store of sessions must do: keep prompts once, number items without gaps, hold a folder for one. */
import { describe, expect, it } from "vitest";
import type { NewItem, NewSession, SessionStore } from "../../src/core/ports/sessions.ts";

export interface SessionWorld {
  readonly sessions: SessionStore;
  /** As another process has them. Undefined: they cannot be shared. */
  readonly other: SessionStore | undefined;
}

let last = 0;

export function newSession(more: Partial<NewSession> = {}): NewSession {
  return {
    id: `s-${++last}-${Math.random().toString(36).slice(2)}`,
    epoch: `e${last}`,
    owner: "ann",
    runner: "chat",
    title: "a task",
    cwd: "/work",
    project: "/work",
    folder: undefined,
    worktree: undefined,
    mode: "act",
    model: undefined,
    system: undefined,
    tools: { offer: "gate" },
    budget: {},
    single: false,
    parent: undefined,
    depth: 0,
    capabilities: ["*"],
    key: undefined,
    createdAt: 1,
    ...more,
  };
}

const prompt = (text: string, key?: string) => ({ id: `p-${++last}`, text, by: "ann", key });
const item = (text: string): NewItem => ({
  kind: "message",
  turn: 1,
  itemId: `i-${++last}`,
  body: { role: "assistant", text },
});
const taker = (process: string) => ({ process, itemId: `i-${++last}` });

export function sessionStoreContract(name: string, get: () => SessionWorld): void {
  /** The store as two processes have it, and a session of one of them. */
  async function begin(more: Partial<NewSession> = {}, text = "go") {
    const { sessions, other = sessions } = get();
    const session = newSession(more);
    const created = await sessions.create(session, prompt(text), "p1");
    return { sessions, other, id: session.id, created };
  }

  describe(`sessions in ${name}`, () => {
    it("keep a session with its first prompt, and give the prompt once", async () => {
      const { sessions, other, id, created } = await begin();
      const queued = { state: "queued", turn: 0, lastSeq: 0 };
      expect(created).toMatchObject({ ok: true, isNew: true, session: queued });
      expect(await other.get(id)).toMatchObject({ id, owner: "ann", process: "p1" });
      const taken = await sessions.takePrompt(id, taker("p1"));
      expect(taken).toMatchObject({ ok: true, prompt: { text: "go", turn: 1 } });
      expect(taken).toMatchObject({ session: { state: "running", turn: 1 } });
      expect(await other.takePrompt(id, taker("p1"))).toEqual({ ok: false, why: "none" });
      expect(await other.items(id)).toMatchObject([
        { seq: 1, turn: 1, kind: "message", body: { role: "user", text: "go", by: "ann" } },
      ]);
    });

    it("know nothing of a session that is not there", async () => {
      const { sessions } = get();
      expect(await sessions.get("s-none")).toBeUndefined();
      expect(await sessions.items("s-none")).toEqual([]);
      expect(await sessions.change("s-none", {})).toEqual({ ok: false, why: "unknown" });
      expect(await sessions.queuePrompt("s-none", prompt("x"))).toEqual({ ok: false, why: "unknown" });
      expect(await sessions.takePrompt("s-none", taker("p1"))).toEqual({ ok: false, why: "unknown" });
      expect(await sessions.remove("s-none")).toBe(false);
    });

    it("start no second session for the same key, and say when the key means something else", async () => {
      const { sessions, other = sessions } = get();
      const key = `key-${++last}`;
      const { id } = await begin({ key });
      const again = await other.create(newSession({ key }), prompt("go"), "p2");
      expect(again).toMatchObject({ ok: true, isNew: false, session: { id } });
      const reused = await other.create(newSession({ key, runner: "claude" }), prompt("go"), "p2");
      expect(reused).toMatchObject({ ok: false, why: "key_reused" });
      const another = await other.create(newSession({ key }), prompt("stop"), "p2");
      expect(another).toMatchObject({ ok: false, why: "key_reused" });
      expect(await other.create(newSession({ key, owner: "bob" }), prompt("go"), "p2")).toMatchObject({
        isNew: true,
      });
    });

    it("let one session at a time work in a folder", async () => {
      const { sessions, other = sessions } = get();
      const folder = `/repo-${++last}`;
      const { id } = await begin({ folder });
      const busy = await other.create(newSession({ folder }), prompt("go"), "p2");
      expect(busy).toMatchObject({ ok: false, why: "folder_busy", holder: { id } });
      await sessions.change(id, { facts: { state: "idle" } });
      const second = newSession({ folder });
      expect(await other.create(second, prompt("go"), "p2")).toMatchObject({ ok: true });
      await sessions.queuePrompt(id, prompt("more"));
      await sessions.takePrompt(id, taker("p1"));
      const refused = { ok: false, why: "folder_busy", holder: { id: second.id } };
      expect(await sessions.takePrompt(id, taker("p1"))).toMatchObject(refused);
    });

    it("number items without gaps, whoever adds them", async () => {
      const { sessions, other, id } = await begin();
      await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          (at % 2 === 0 ? sessions : other).change(id, { items: [item(`a${at}`), item(`b${at}`)] }),
        ),
      );
      const all = await sessions.items(id);
      expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 80 }, (_, at) => at + 1));
      const page = await other.items(id, { after: 70, limit: 5 });
      expect(page).toEqual(all.slice(70, 75));
      expect((await sessions.get(id))?.lastSeq).toBe(80);
    });

    it("change only what is still as somebody believes", async () => {
      const { sessions, id } = await begin();
      const [moved, queued] = [{ why: "moved" }, { why: "moved", session: { state: "queued" } }];
      expect(await sessions.change(id, { process: "p2", items: [item("x")] })).toMatchObject(moved);
      expect(await sessions.change(id, { states: ["idle"], items: [item("x")] })).toMatchObject(queued);
      expect(await sessions.items(id)).toEqual([]);
      const done = await sessions.change(id, {
        process: "p1",
        facts: { state: "ended", end: "completed", usage: { inputTokens: 3, outputTokens: 4 } },
      });
      expect(done).toMatchObject({ ok: true, session: { end: "completed", usage: { outputTokens: 4 } } });
    });

    it("queue messages in order, and the same key once", async () => {
      const { sessions, other, id } = await begin({}, "one");
      await sessions.queuePrompt(id, prompt("two", "k"));
      expect(await other.queuePrompt(id, prompt("two", "k"))).toMatchObject({ ok: true });
      const reused = { ok: false, why: "key_reused" };
      expect(await other.queuePrompt(id, prompt("other", "k"))).toEqual(reused);
      const texts = (await other.prompts(id)).map(({ text, state }) => `${text} ${state}`);
      expect(texts).toEqual(["one queued", "two queued"]);
      const tooMany = { ok: false, why: "too_many" };
      expect(await sessions.queuePrompt(id, prompt("x"), { maxQueued: 2 })).toEqual(tooMany);
      expect(await sessions.asked("p1")).toContain(id);
      await sessions.takePrompt(id, taker("p1"));
      const second = await sessions.takePrompt(id, { ...taker("p1"), steer: true });
      expect(second).toMatchObject({ prompt: { text: "two", turn: 1 }, session: { turn: 1 } });
      expect(await sessions.asked("p1")).not.toContain(id);
    });

    it("take a message for an ended session only to go on with it, and drop what waited before", async () => {
      const { sessions, id } = await begin({}, "old");
      await sessions.change(id, {
        facts: { state: "ended", end: "cancelled", process: undefined },
        dropPrompts: true,
      });
      expect(await sessions.queuePrompt(id, prompt("new"))).toEqual({ ok: false, why: "ended" });
      expect((await sessions.queuePrompt(id, prompt("new"), { resume: true })).ok).toBe(true);
      const taken = await sessions.takePrompt(id, taker("p9"));
      expect(taken).toMatchObject({ prompt: { text: "new" }, session: { state: "running", process: "p9" } });
      expect((taken.ok && taken.session.end) || undefined).toBeUndefined();
      expect(await sessions.takePrompt(id, taker("p9"))).toEqual({ ok: false, why: "none" });
      expect(await sessions.takePrompt(id, taker("p1"))).toEqual({ ok: false, why: "moved" });
    });

    it("list the newest first, page by page, by owner and state", async () => {
      const { sessions, other = sessions } = get();
      const owner = `owner-${++last}`;
      const made = [newSession({ owner }), newSession({ owner }), newSession({ owner })];
      for (const one of made) await sessions.create(one, prompt("go"), "p1");
      await sessions.change(made[1]?.id ?? "", { facts: { state: "idle" } });
      const first = await other.list({ owner, limit: 2 });
      expect(first.sessions.map(({ id }) => id)).toEqual([made[2]?.id, made[1]?.id]);
      const rest = await other.list({ owner, limit: 2, after: first.next });
      expect(rest).toMatchObject({ sessions: [{ id: made[0]?.id }] });
      expect(rest.next).toBeUndefined();
      const idle = await other.list({ owner, states: ["idle"] });
      expect(idle.sessions.map(({ id }) => id)).toEqual([made[1]?.id]);
    });

    it("remove a session with its log, but none that is at work", async () => {
      const { sessions, id } = await begin();
      expect(await sessions.remove(id)).toBe(false);
      await sessions.change(id, { facts: { state: "ended", end: "failed" }, items: [item("x")] });
      expect(await sessions.remove(id)).toBe(true);
      expect(await sessions.get(id)).toBeUndefined();
      expect(await sessions.items(id)).toEqual([]);
    });

    it("tell soon that something has changed, also in another process", async () => {
      const { sessions, other = sessions } = get();
      const told = Promise.withResolvers<void>();
      const stop = other.onChange(() => told.resolve());
      const changing = setInterval(() => void sessions.create(newSession(), prompt("go"), "p1"), 50);
      await told.promise;
      clearInterval(changing);
      stop();
    });

    it("know the agents that nobody runs any more", async () => {
      const { sessions, id } = await begin();
      const left = async () => (await sessions.leftAgents()).find((one) => one.id === id);
      const agentProcess = { pid: 1, startTicks: 2, mark: "m" };
      await sessions.change(id, { facts: { agentProcess } });
      expect(await left()).toBeUndefined();
      await sessions.change(id, { facts: { process: undefined } });
      expect((await left())?.agentProcess).toEqual(agentProcess);
      await sessions.change(id, { facts: { agentProcess: undefined } });
      expect(await left()).toBeUndefined();
    });
  });
}
