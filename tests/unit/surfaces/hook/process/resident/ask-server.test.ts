import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import { askServer } from "../../../../../../src/surfaces/hook/process/resident/ask-server.ts";
import { createFastHookWorld, type FastHookWorld, nonceOf } from "../../../../../fast-hook-world.ts";

const rules = `routes:
  no-force: {tool: Bash, pattern: 'push.*--force', message: 'Ärger: no force.'}
policies:
  ask-first: {tools: Bash, action: ask, reason: Ann decides., conditions: [{type: command, operator: matches, value: deploy}]}
`;

function ask(world: FastHookWorld, command: string, more: { readonly cwd?: string } = {}) {
  return askServer({
    agent: "opencode",
    text: JSON.stringify({ event: "PreToolUse", tool: "bash", input: { command }, cwd: world.project }),
    nonce: `${process.pid}.${randomInt(1e9)}`,
    cwd: world.project,
    env: { HOME: world.home },
    seconds: 300,
    signal: new AbortController().signal,
    ...more,
  });
}

describe("a running server", () => {
  it("is asked, and its answer is taken as it is", async () => {
    const world = createFastHookWorld();
    world.user(rules);
    await world.serve();
    expect(await ask(world, "ls")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    const { stdout, stderr, exitCode } = (await ask(world, "git push --force")) ?? {};
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout ?? "").deny).toContain("Ärger: no force.");
    expect(stderr).toContain("Ärger: no force.");
  });

  it("may ask a person, and says meanwhile that it works", async () => {
    const world = createFastHookWorld();
    world.user(rules);
    const { store } = await world.serve();
    const asked = ask(world, "deploy");
    await expect.poll(async () => (await store.approvals.pending()).length, { timeout: 20_000 }).toBe(1);
    const [question] = await store.approvals.pending();
    await store.approvals.answer(question?.id ?? "", { decision: "deny", reason: "Not today.", by: "ann" });
    expect((await asked)?.stdout).toContain("Not today.");
  });

  it("is not asked when nothing says where the call happens", async () => {
    const world = createFastHookWorld();
    await world.serve();
    expect(await ask(world, "ls", { cwd: "/a\tb" })).toBeUndefined();
  });
});

describe("whoever else listens there", () => {
  const head = "HTTP/1.1 200 OK\r\n\r\n";
  const working = "HTTP/1.1 102 Processing\r\n\r\n";
  const good = "0 0 0\n";

  it("gets no call before it has proven that it wrote the address file", async () => {
    const world = createFastHookWorld();
    let got = "";
    await world.falseServer(
      () => {
        got = "a call";
      },
      (socket) => void socket.end("HTTP/1.1 100 Continue\r\nToolgate-Proof: guessed 1\r\n\r\n"),
    );
    expect(await ask(world, "ls")).toBeUndefined();
    expect(got).toBe("");
  });

  const believed = { exitCode: 0, stdout: "", stderr: "" };
  const saying = (text: string) => (key: string, nonce: string) =>
    `${head}${key} ${nonce} ${String(Buffer.byteLength(text)).padStart(7, "0")} ${text}`;
  const part = '{"deny":"one\\ntwo"}';
  it.for<readonly [string, object | undefined, (key: string, nonce: string) => string]>([
    [
      "the key, the nonce and a whole answer",
      believed,
      (key, nonce) => `${head}${key} ${nonce} 0000006 ${good}`,
    ],
    [
      "work before its answer",
      believed,
      (key, nonce) => `${working}${working}${head}${key} ${nonce} 0000006 ${good}`,
    ],
    ["another key", undefined, (_key, nonce) => `${head}guessed ${nonce} 0000006 ${good}`],
    ["another nonce", undefined, (key) => `${head}${key} 1.1 0000006 ${good}`],
    ["a part of an answer", undefined, (key, nonce) => `${head}${key} ${nonce} 0000009 ${good}`],
    ["no length", undefined, (key, nonce) => `${head}${key} ${nonce} six ${good}`],
    ["another status", undefined, (key, nonce) => `HTTP/1.1 500 No\r\n\r\n${key} ${nonce} ${good}`],
    ["nothing", undefined, () => ""],
    ["two texts", { exitCode: 2, stdout: "{é}", stderr: "näh\n" }, saying("2 4 5\n{é}näh\n")],
    ["a part", { exitCode: 2, stdout: part, stderr: "one\ntwo\n" }, saying(`2 ${part.length} =9:8\n${part}`)],
    ["a code that means nothing", undefined, saying("1 0 0\n")],
    ["no code", undefined, saying("\n")],
    ["no end of the line", undefined, saying("0 0 0")],
    ["less than it says", undefined, saying("0 3 0\n{}")],
    ["more than it says", undefined, saying("0 1 0\n{}")],
    ["a part beyond the text", undefined, saying("2 2 =1:5\n{}")],
    ["a length that is no number", undefined, saying("0 1e1 0\n{}")],
  ])("is believed only for a whole answer with key and nonce: %s is %j", async ([, answer, make]) => {
    const world = createFastHookWorld();
    await world.falseServer((socket, request, door) => void socket.end(make(door.key, nonceOf(request))));
    expect(await ask(world, "ls")).toEqual(answer);
  });
});
