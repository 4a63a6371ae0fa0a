import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConfig } from "../../../src/open/open-config.ts";
import { openSessions } from "../../../src/open/open-sessions.ts";
import type { Store } from "../../../src/open/open-store.ts";
import { type OpenTools, openTools } from "../../../src/open/open-tools.ts";
import { readProcess } from "../../../src/safe/process/process-table.ts";
import type { Sessions } from "../../../src/sessions/create-sessions.ts";
import { scriptedRunner } from "../sessions/scripted-runner.ts";

const ann = { id: "ann", capabilities: ["*"] };
const home = realpathSync(mkdtempSync(join(tmpdir(), "open-sessions-")));
const env = {
  HOME: home,
  PATH: process.env.PATH,
  XDG_STATE_HOME: join(home, "state"),
  XDG_DATA_HOME: join(home, "data"),
  XDG_CONFIG_HOME: join(home, "config"),
  XDG_CACHE_HOME: join(home, "cache"),
};
const folder = (name: string, rules?: string) => {
  const path = join(home, "work", name);
  mkdirSync(path, { recursive: true });
  if (rules !== undefined) writeFileSync(join(path, "toolgate.yaml"), rules);
  return path;
};
const denyReads = `policies:
  no-reads: { tools: [fs.read], action: deny, reason: Nobody reads here. }
`;

describe("sessions in folders", () => {
  let open: OpenTools;
  let sessions: Sessions;
  const own = folder("serve-here");
  const other = folder("other", denyReads);
  const broken = folder("broken", "policies: 7\n");
  const repository = folder("repository");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: repository,
      env,
    }).toString();

  beforeAll(async () => {
    mkdirSync(join(home, "config", "toolgate"), { recursive: true });
    writeFileSync(
      join(home, "config", "toolgate", "config.yaml"),
      [
        `sessions: { roots: ['${join(home, "work")}'] }`,
        "tools: { ceilings: { task: execute }, enabled_categories: [shell] }",
        "policies: { sub-tasks: { tools: [task.spawn, shell.exec], action: approve } }",
        "",
      ].join("\n"),
    );
    const current = await openConfig({ cwd: own, env });
    open = await openTools(current, { durable: true, approver: "desk", env });
    const runner = scriptedRunner(async ({ prompt, signal, number }, { calls, cwd }) => {
      const [tool = "", path = "", content] = prompt.split(" ");
      if (tool === "background") {
        const command = "echo pid=$$; exec sleep 600";
        const run = { tool: "shell.exec", input: { command, background: true }, toolUseId: "b1", signal };
        const { outcome } = await calls.run(run);
        const { id } = (outcome.result.structured ?? {}) as { id?: string };
        let printed = "";
        for (let time = 2; !printed.includes("pid="); time++) {
          const read = { tool: "shell.output", input: { id }, toolUseId: `b${time}`, signal };
          printed += JSON.stringify((await calls.run(read)).content);
          await sleep(20);
        }
        return printed;
      }
      if (tool === "spawn") {
        const child = { tool: "task.spawn", input: { prompt: `fs_read ${path}` }, toolUseId: "s1", signal };
        return JSON.stringify((await calls.run(child)).content);
      }
      const input = { path: join(cwd, path), ...(content && { content }) };
      const { outcome } = await calls.run({ tool, input, toolUseId: `u${number}`, signal });
      return outcome.ok
        ? JSON.stringify(outcome.result.content)
        : `${outcome.error.code} ${outcome.error.message}`;
    });
    sessions = await openSessions({
      open: open as OpenTools & { store: Store },
      own: () => ({ current, broken: [] }),
      env,
      runners: [runner],
      tell: () => {},
      unusedMs: 50,
    });
    for (const place of [own, other, repository]) writeFileSync(join(place, "a.txt"), `of ${place}`);
    git("init", "--quiet", "--initial-branch=main");
    git("add", "a.txt");
    git("commit", "--quiet", "-m", "one");
  });
  afterAll(async () => {
    await sessions.close();
    await open.close();
    rmSync(home, { recursive: true, force: true });
  });

  async function said(request: { prompt: string; cwd: string; worktree?: boolean; mode?: "plan" }) {
    const started = await sessions.start({ single: true, ...request }, ann);
    if (!started.ok) return started;
    const leaving = new AbortController();
    let text = "";
    for await (const { event, data } of sessions.events(started.session.id, { signal: leaving.signal })) {
      if (event === "message" && data.role === "assistant") text = String(data.text);
      if (event === "approval" && data.state === "asked") {
        text = "asks";
        await sessions.cancel(started.session.id, "ann");
      }
      if (event === "session" && data.state === "ended") leaving.abort();
    }
    return { ok: true as const, text, session: started.session };
  }

  const reads = { text: expect.stringContaining(`of ${own}`) };
  const refused = { text: expect.stringContaining("Nobody reads here.") };
  const prompt = "fs_read a.txt";

  it("leave nothing running when they are over", async () => {
    const started = await sessions.start({ prompt: "background sleep", cwd: own }, ann);
    const id = started.ok ? started.session.id : "";
    await expect.poll(async () => (await sessions.get(id))?.state).toBe("idle");
    const [item] = (await sessions.items(id)).filter(
      ({ kind, body }) => kind === "message" && body.role === "assistant",
    );
    const pid = Number(/pid=(\d+)/.exec(String(item?.body.text))?.[1]);
    expect(readProcess(pid)).toBeDefined();
    await sessions.cancel(id, "ann");
    expect(readProcess(pid)).toBeUndefined();
  });

  it("start sub-tasks under the rules of their folder", async () => {
    expect(await said({ prompt: "spawn a.txt", cwd: own })).toMatchObject(reads);
    expect(await said({ prompt: "spawn a.txt", cwd: other })).toMatchObject(refused);
  });

  it("follow the rules of each, also when those change", async () => {
    expect(await said({ prompt, cwd: own })).toMatchObject(reads);
    expect(await said({ prompt, cwd: other })).toMatchObject(refused);
    const text = readFileSync(join(other, "toolgate.yaml"), "utf8");
    writeFileSync(join(other, "toolgate.yaml"), "");
    const ofOther = { text: expect.stringContaining(`of ${other}`) };
    await expect.poll(() => said({ prompt, cwd: other })).toMatchObject(ofOther);
    writeFileSync(join(other, "toolgate.yaml"), text);
  });

  it("work nowhere but in the roots", async () => {
    expect(await said({ prompt, cwd: tmpdir() })).toMatchObject({ ok: false, code: "folder_outside" });
  });

  it("do not start where the rules are broken", async () => {
    expect(await said({ prompt, cwd: broken })).toMatchObject({
      ok: false,
      code: "rules_broken",
      message: expect.stringContaining("toolgate.yaml:1:11"),
    });
  });

  it("get a work tree on a branch of its own, which goes with the session when nothing has changed", async () => {
    const done = await said({ prompt, cwd: repository, worktree: true });
    if (!done.ok) throw new Error(done.message);
    const { worktree = "", id, cwd } = done.session;
    expect(done.text).toContain(`of ${repository}`);
    expect(cwd).toBe(worktree);
    expect(worktree).toBe(join(home, "data", "toolgate-worktrees", "repository", id));
    expect(git("branch", "--list", "toolgate/*").trim()).toContain(`toolgate/${id}`);
    expect(await sessions.remove(id, "ann")).toMatchObject({
      worktree: { path: worktree, state: "removed" },
    });
    expect(existsSync(worktree)).toBe(false);
    expect(git("branch", "--list", "toolgate/*").trim()).toBe("");
  });

  it("keep a work tree with changes, and say so", async () => {
    const done = await said({ prompt, cwd: repository, worktree: true });
    if (!done.ok) throw new Error(done.message);
    const { worktree = "", id } = done.session;
    writeFileSync(join(worktree, "new.txt"), "work");
    expect(await sessions.remove(id, "ann")).toMatchObject({
      worktree: { path: worktree, state: "kept", why: expect.stringContaining("git worktree failed") },
    });
    expect(readFileSync(join(worktree, "new.txt"), "utf8")).toBe("work");
  });

  it("write in their work tree and not in the folder beside it", async () => {
    const beside = "fs_read ../../../../work/repository/a.txt";
    const done = await said({ prompt: beside, cwd: repository, worktree: true });
    expect(done).toMatchObject({ text: "asks" });
  });

  it("get no work tree where there is no repository", async () => {
    expect(await said({ prompt, cwd: other, worktree: true })).toMatchObject({
      ok: false,
      code: "bad_request",
      message: expect.stringContaining("work tree"),
    });
  });
});
