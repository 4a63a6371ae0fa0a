import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseConfigFile } from "../../../../src/config/file/parse-file.ts";
import type { NotifySettings } from "../../../../src/config/settings/notify-settings.ts";
import { createSystemClock } from "../../../../src/gate/system.ts";
import { openStore, type Store } from "../../../../src/open/open-store.ts";
import { createNotifier } from "../../../../src/surfaces/serve/notify/create-notifier.ts";
import type { deliver } from "../../../../src/surfaces/serve/notify/deliver.ts";
import type { Notification } from "../../../../src/surfaces/serve/notify/notification.ts";
import { approvalRequest } from "../../stores/sqlite/approval-request.ts";

const patient = { interval: 20 };

describe("notifications about questions", () => {
  let folder: string;
  let store: Store;
  let stop: () => void;
  const told: string[] = [];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "toolgate-notify-"));
    store = await openStore({ stateFolder: join(folder, "state") });
    stop = () => {};
    told.length = 0;
  });
  afterEach(async () => {
    stop();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  function start(settings: NotifySettings | undefined, send?: typeof deliver) {
    stop = createNotifier({
      approvals: store.approvals,
      settings: () => settings,
      url: () => "http://127.0.0.1:4655",
      clock: createSystemClock(),
      tell: (message) => told.push(message),
      ...(send && { send }),
    });
  }
  const ask = (id: string, more = {}) =>
    store.approvals.open(
      approvalRequest(id, {
        toolId: "shell.exec",
        caller: "agent:s-41",
        sessionId: id,
        input: { command: "deploy --token hunter2" },
        reason: "deploy --token hunter2 asks",
        rule: { kind: "policy", name: "prod needs a person" },
        createdAt: Date.now() + 5,
        expiresAt: Date.now() + 300_000,
        ...more,
      }),
    );

  it("start a program with who asks, by which rule, and a link on its input, and nothing of the call", async () => {
    const program = join(folder, "tell");
    const out = join(folder, "out");
    writeFileSync(program, `#!/bin/sh\ncat > ${out}.new\necho "$@" >> ${out}.new\nmv ${out}.new ${out}\n`);
    chmodSync(program, 0o755);
    start({ command: [program, "--quiet; rm -rf /"], link: "https://gate.example.com/" });
    await ask("aaaa1111");
    await expect.poll(() => existsSync(out), patient).toBe(true);
    const [json = "", args] = readFileSync(out, "utf8").trim().split("\n");
    expect(args).toBe("--quiet; rm -rf /");
    expect(JSON.parse(json)).toMatchObject({
      kind: "question",
      id: "aaaa1111",
      tool: "shell.exec",
      caller: "agent:s-41",
      rule: "prod needs a person",
      url: "https://gate.example.com/inbox/aaaa1111",
      text: expect.stringMatching(
        /^agent:s-41 asks for shell\.exec \(rule prod needs a person\), .* left: https:/,
      ),
    });
    expect(json).not.toContain("hunter2");
    expect(told).toEqual([]);
  });

  it("are posted to a webhook, and not to addresses that it may not have", async () => {
    const bodies: string[] = [];
    const server = createServer(async (request: IncomingMessage, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      bodies.push(`${request.headers["content-type"]} ${body}`);
      response.end();
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const webhook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/secret-path`;
    try {
      start({ webhook, allowPrivate: true });
      await ask("bbbb1111");
      await expect.poll(() => bodies.length, patient).toBe(1);
      expect(bodies[0]).toMatch(/^application\/json \{.*"url":"http:\/\/127\.0\.0\.1:4655\/inbox\/bbbb1111"/);
      stop();
      start({ webhook });
      await ask("bbbb2222", { createdAt: Date.now() + 50 });
      await expect.poll(() => told.length, patient).toBe(1);
      expect(told[0]).toContain("notify.webhook");
      expect(told[0]).not.toContain("secret-path");
      expect(bodies).toHaveLength(1);
    } finally {
      server.close();
    }
  });

  it("tell a flood together, one message at a time, and a failure once until it works again", async () => {
    const sent: Notification[] = [];
    let fails = true;
    let running = 0;
    let isHeld = false;
    const held = Promise.withResolvers<void>();
    start({ webhook: "https://x.example" }, async (_settings, notification) => {
      expect(++running).toBe(1);
      await (isHeld ? held.promise : undefined);
      running--;
      if (fails) throw new Error("nobody there");
      sent.push(notification);
    });
    await ask("cccc1111");
    await expect.poll(() => told, patient).toHaveLength(1);
    isHeld = true;
    for (let at = 0; at < 30; at++) await ask(`dddd${at}`, { caller: `agent:${at}` });
    fails = false;
    isHeld = false;
    held.resolve();
    await expect.poll(() => sent.reduce((sum, { count }) => sum + count, 0), patient).toBeGreaterThan(20);
    expect(sent.length).toBeLessThan(6);
    expect(sent.find(({ kind }) => kind === "questions")).toMatchObject({
      url: "http://127.0.0.1:4655/inbox",
      text: expect.stringContaining("calls wait for an answer"),
    });
    expect(told).toEqual([
      "A notification about a question could not be delivered: nobody there",
      "Notifications about questions are delivered again.",
    ]);
  });

  it("are not about what waited before, was answered meanwhile, or where nobody is told", async () => {
    const sent: Notification[] = [];
    await ask("eeee1111", { createdAt: Date.now() - 60_000 });
    start({ command: ["x"] }, async (_settings, notification) => void sent.push(notification));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(sent).toEqual([]);
    stop();
    start(undefined, async (_settings, notification) => void sent.push(notification));
    await ask("eeee2222");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(sent).toEqual([]);
  });

  it("draw what nobody sees in names that agents choose", async () => {
    const sent: Notification[] = [];
    start({ command: ["x"] }, async (_settings, notification) => void sent.push(notification));
    await ask("ffff1111", { caller: "a\nb\u202Ec", toolId: "x\r\ny" });
    await expect.poll(() => sent.length, patient).toBe(1);
    expect(sent[0]?.text).toMatch(/^a\\u\{A\}b\\u\{202E\}c asks for x\\u\{D\}\\u\{A\}y/);
  });
});

describe("the section notify of a file", () => {
  const problems = (yaml: string) => {
    const parsed = parseConfigFile(yaml, "c.yaml", "config");
    return parsed.ok ? [] : parsed.problems.map(({ message }) => message);
  };

  it("takes a program as words and an https address", () => {
    expect(problems("notify:\n  command: [/bin/tell, a]\n  webhook: https://x.example/y\n")).toEqual([]);
    expect(problems("notify:\n  webhook: http://127.0.0.1/y\n  allow_private: true\n")).toEqual([]);
    expect(problems("notify:\n  webhook: http://x.example/y\n")[0]).toContain("https://");
    expect(problems("notify:\n  webhook: file:///etc/passwd\n")).toHaveLength(1);
    expect(problems("notify:\n  link: javascript:alert(1)\n")).toHaveLength(1);
    expect(problems("notify:\n  command: rm -rf /\n")).toHaveLength(1);
  });
});
