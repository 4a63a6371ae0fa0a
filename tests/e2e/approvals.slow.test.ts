import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { expectEnd, refuses } from "../unit/surfaces/cli/expect-end.ts";
import { useApprovalsWorld } from "./approvals-world.ts";
import { cli } from "./cli-process.ts";

const world = useApprovalsWorld();
const { callAndWait, approvals, written } = world;

describe("an approval between processes", () => {
  it("can be a denial with a reason, or a yes to another input", async () => {
    const [denied, edited] = await Promise.all([callAndWait("a.txt", "one"), callAndWait("b.txt", "two")]);
    const listed = (await approvals("list", "--ndjson")).out.trim().split("\n");
    expect(listed.map((line) => JSON.parse(line).id.slice(0, 8)).sort()).toEqual(
      [denied.id, edited.id].sort(),
    );
    const answers = await Promise.all([
      approvals("deny", denied.id, "--reason", "not on a Friday"),
      approvals("approve", edited.id, "--edit", '{"path":"c.txt","content":"three"}', "--json"),
    ]);
    expect(answers.map(({ code }) => code)).toEqual([0, 0]);
    expect(JSON.parse(answers[1]?.out ?? "")).toMatchObject({ ok: true, tool: "fs.write" });
    const [refused, ran] = await Promise.all([denied.end, edited.end]);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("not on a Friday");
    expect(ran.code).toBe(0);
    expect([written("a.txt"), written("b.txt"), written("c.txt")]).toEqual([undefined, undefined, "three"]);
  });

  it("that lasts spares the question next time, until it is revoked", async () => {
    const first = await callAndWait("a.txt", "hello");
    await approvals("approve", first.id, "--scope", "project", "--expires", "1h");
    expect((await first.end).code).toBe(0);
    const input = '{"path":"a.txt","content":"hello"}';
    const again = () => world.now.run(["tools", "call", "fs.write", input, "--enable-tools"]);
    expect((await again()).code).toBe(0);
    const grant = JSON.parse((await world.now.run(["grants", "list", "--ndjson"])).out);
    expect(grant).toMatchObject({ scope: "project", project: world.now.project, toolId: "fs.write" });
    expect((await world.now.run(["grants", "revoke", grant.id.slice(0, 6)])).out).toContain(
      "Revoked: fs.write",
    );
    await refuses(again(), "--wait 5m");
  });

  it("for any input says that a tool that executes does not get it", async () => {
    const call = await callAndWait("a.txt", "hello");
    await expectEnd(approvals("approve", call.id, "--scope", "project", "--any-input"), {
      out: "Approved always in this project: fs.write",
      err: "unless the tool executes: then for this input",
    });
    expect((await call.end).code).toBe(0);
    const other = ["tools", "call", "fs.write", '{"path":"b.txt","content":"x"}', "--enable-tools"];
    expect((await world.now.run(other)).code).toBe(0);
  });

  it("is void when the process that asked was killed", async () => {
    const call = await callAndWait("a.txt", "hello");
    const died = once(call.child, "exit");
    call.child.kill("SIGKILL");
    await died;
    expect((await approvals("list")).out).not.toContain(call.id);
    expect((await approvals("show", call.id)).out).toContain("withdrawn");
    await refuses(approvals("approve", call.id), "was withdrawn", "its process has ended");
    expect(written("a.txt")).toBeUndefined();
  });

  it("is void when the client of toolgate mcp was killed", async () => {
    const { project, folder } = world.now;
    const hello = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "client", version: "1" },
    };
    const call = { name: "fs_write", arguments: { path: "a.txt", content: "x" } };
    const messages = [
      { id: 1, method: "initialize", params: hello },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: call },
    ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
    // A client that starts the gate, asks it and is then killed with its pipes open.
    const client = `
      const { spawn } = require("node:child_process");
      const gate = spawn(process.execPath, JSON.parse(process.argv[1]), { stdio: ["pipe", "ignore", "inherit"] });
      gate.stdin.write(JSON.parse(process.argv[2]).join("\\n") + "\\n");
      setInterval(() => {}, 1000);`;
    const gate = [cli, "mcp", "--enable-tools", "--workspace", project];
    const child = spawn(process.execPath, ["-e", client, JSON.stringify(gate), JSON.stringify(messages)], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: `${folder}/home` },
      stdio: "ignore",
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const list = async () => (await approvals("list", "--ndjson")).out.trim();
    await expect.poll(list, { timeout: 60_000, interval: 200 }).toContain("fs.write");
    const { id } = JSON.parse(await list()) as { readonly id: string };
    child.kill("SIGKILL");
    await expect.poll(list, { timeout: 60_000, interval: 200 }).toBe("");
    expect((await approvals("approve", id)).err).toContain("was withdrawn");
    expect(written("a.txt")).toBeUndefined();
  });

  it("is refused inside an agent, whose yes it would be", async () => {
    const call = await callAndWait("a.txt", "hello");
    const byAgent = world.now.run(["approvals", "approve", call.id], "", [], { CLAUDECODE: "1" });
    await refuses(byAgent, "a person's decision");
    expect((await approvals("list")).out).toContain(call.id);
  });
});
