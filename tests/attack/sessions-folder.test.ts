/** A session works in the folder that was allowed when it started, whatever is put in its place later. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createGate } from "../../src/gate/create-gate.ts";
import { createSessions, type Sessions } from "../../src/sessions/create-sessions.ts";
import { createBuiltinTools } from "../../src/sources/builtin/builtin-tools.ts";
import { type Script, scriptedRunner } from "../unit/sessions/scripted-runner.ts";

const ann = { id: "ann", capabilities: ["*"] };

async function world(script: Script, outsideOf?: (folder: string) => string) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "moved-")));
  const [root, work, secret] = [join(top, "root"), join(top, "root", "work"), join(top, "secret")];
  for (const folder of [root, work, secret]) mkdirSync(folder);
  writeFileSync(join(secret, "key.txt"), "TOPSECRET");
  const builtin = createBuiltinTools({ editing: { stateFolder: join(top, "state") } });
  const gate = await createGate({
    tools: builtin.tools,
    enable: { enabledCategories: ["editing"] },
    roots: [root],
    policies: [{ name: "files", tools: "fs.*", action: "approve" }],
  });
  const runner = scriptedRunner(script);
  const sessions = await createSessions(gate, {
    runners: [runner],
    roots: [root],
    ...(outsideOf && { makeWorktree: async () => outsideOf(top) }),
  });
  onTestFinished(async () => {
    await sessions.close();
    await gate.close();
    await builtin.close();
  });
  const swap = () => {
    renameSync(work, join(root, "before"));
    symlinkSync(secret, work);
  };
  return { sessions, work, secret, swap, runner, top };
}

async function idle(sessions: Sessions, id: string, turn: number) {
  const reading = new AbortController();
  for await (const { event, data } of sessions.events(id, { signal: reading.signal }))
    if (event === "session" && data.state === "idle" && Number(data.turn) >= turn) reading.abort();
  return JSON.stringify(await sessions.items(id));
}

const call = (tool: string, input: object, signal: AbortSignal) => ({ tool, input, toolUseId: tool, signal });

it("begins no turn where a link leads elsewhere", async () => {
  const { sessions, work, swap, runner } = await world(async () => "hi");
  const started = await sessions.start({ prompt: "one", cwd: work }, ann);
  const id = started.ok ? started.session.id : "";
  await idle(sessions, id, 1);
  swap();
  await sessions.send(id, { text: "two" }, ann);
  expect(await idle(sessions, id, 2)).toContain("folder_moved");
  expect(runner.seen).not.toContain("two");
});

it("makes no call through a link that was put there in the middle of a turn", async () => {
  let swapNow = () => {};
  const { sessions, work, secret, swap } = await world(async ({ signal }, { calls }) => {
    swapNow();
    await calls.run(call("fs.read", { path: "key.txt" }, signal));
    await calls.run(call("fs.write", { path: "new.txt", content: "x" }, signal));
    return "done";
  });
  swapNow = swap;
  const started = await sessions.start({ prompt: "one", cwd: work }, ann);
  const log = await idle(sessions, started.ok ? started.session.id : "", 1);
  expect(log).toContain("folder_moved");
  expect(log).not.toContain("TOPSECRET");
  expect(readdirSync(secret)).toEqual(["key.txt"]);
});

it("does not follow a link of a work tree's commit", async () => {
  const seen: string[] = [];
  const { sessions, work, top } = await world(
    async (_turn, { cwd }) => {
      seen.push(cwd);
      return "hi";
    },
    (folder) => {
      const tree = join(folder, "tree");
      mkdirSync(tree);
      symlinkSync(join(folder, "secret"), join(tree, "work"));
      return tree;
    },
  );
  mkdirSync(join(top, "root", ".git", "objects"), { recursive: true });
  mkdirSync(join(top, "root", ".git", "refs"));
  writeFileSync(join(top, "root", ".git", "HEAD"), "ref: refs/heads/main\n");
  const started = await sessions.start({ prompt: "one", cwd: work, worktree: true }, ann);
  await idle(sessions, started.ok ? started.session.id : "", 1);
  expect(seen).toEqual([join(top, "tree")]);
});
