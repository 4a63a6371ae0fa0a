import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../../../src/open/open-store.ts";
import { createFileTokens } from "../../../../src/stores/files/file-tokens.ts";
import { giveToken } from "../../../../src/surfaces/http/tokens/give-token.ts";
import { approvalRequest } from "../../stores/sqlite/approval-request.ts";
import { type CliWorld, createCliWorld } from "./cli-world.ts";
import { createScreen } from "./terminal/screen.ts";

/** The machine may be busy. */
const patient = { timeout: 20_000, interval: 20 };

describe("toolgate serve", () => {
  let world: CliWorld;
  let state: string;
  beforeEach(() => {
    world = createCliWorld();
    state = join(world.home, ".local", "state", "toolgate");
  });
  afterEach(() => world.close());

  /** Runs the server until it has said where it is and `during` is over. */
  async function serving(argv: readonly string[], during: (said: string) => Promise<void>, cwd = world.root) {
    const ending = new AbortController();
    const { promise: said, resolve: tell } = Promise.withResolvers<string>();
    const over = world.run(["serve", "--port", "0", ...argv], { cwd, signal: ending.signal, onOut: tell });
    const first = await Promise.race([said, over.then(({ err }) => Promise.reject(new Error(err)))]);
    try {
      await during(first);
    } finally {
      ending.abort();
    }
    return over;
  }

  it("says where it listens and where the token is, but never the token", async () => {
    const { code, out, err } = await serving([], async () => {});
    expect(code).toBe(0);
    expect(out).toMatch(/toolgate serves http:\/\/127\.0\.0\.1:\d+\n/);
    expect(out).toContain(join(state, "token"));
    const token = readFileSync(join(state, "token"), "utf8").trim();
    expect(out + err).not.toContain(token);
  });

  it("warns where all of the home folder would be its workspace, and in a project does not", async () => {
    const warning = "everything below it is the workspace";
    const { code, err } = await serving([], async () => {}, world.home);
    expect([code, err]).toEqual([0, expect.stringContaining(warning)]);
    expect((await serving([], async () => {})).err).not.toContain(warning);
  });

  it("shows at a terminal what waits, how to answer, and no more once it is answered", async () => {
    const store = await openStore({ stateFolder: state });
    const screen = createScreen();
    const ending = new AbortController();
    const over = world.run(["serve", "--port", "0"], {
      isTerminal: true,
      env: { COLUMNS: "100", NO_COLOR: "1" },
      signal: ending.signal,
      onOut: screen.print,
      onErr: screen.print,
    });
    await expect.poll(screen.text, patient).toContain("Ctrl-C ends it.\n");
    const input = { command: "git push\u001b[2J\u202e origin" };
    await store.approvals.open(approvalRequest("aaaa1111", { toolId: "shell.exec", input }));
    await expect.poll(screen.text, patient).toContain("1 call waits for an answer:\n  aaaa1111  ");
    expect(screen.text()).toContain("shell.exec");
    expect(screen.text()).toContain("git push\\u{1B}[2J\\u{202E} origin\n");
    expect(screen.text()).toContain("toolgate approvals approve ID");
    await store.approvals.answer("aaaa1111", { decision: "deny", by: "ann" });
    await expect.poll(screen.text, patient).not.toContain("aaaa1111");
    expect(screen.text()).toContain("Ctrl-C ends it.\n");
    ending.abort();
    expect((await over).code).toBe(0);
    await store.close();
  });

  it("opens the page that there is, and says so", async () => {
    const bin = join(world.root, "bin");
    const opened = join(world.root, "opened");
    world.file("bin/xdg-open", `#!/bin/sh\necho "$1" > ${opened}.new && mv ${opened}.new ${opened}\n`);
    chmodSync(join(bin, "xdg-open"), 0o755);
    const path = process.env.PATH;
    process.env.PATH = `${bin}:${path}`;
    try {
      const { err } = await serving(["--json", "--open"], async (said) => {
        const { url } = JSON.parse(said) as { url: string };
        await expect.poll(() => existsSync(opened), patient).toBe(true);
        const page = readFileSync(opened, "utf8").trim();
        expect(page.startsWith(url)).toBe(true);
        expect(page).toMatch(/\/#k=[\w-]{22}$/);
      });
      expect(err).not.toContain("/api/health/ready");
    } finally {
      process.env.PATH = path;
    }
  });

  it("is the only server of its state folder", async () => {
    await serving(["--json"], async (said) => {
      const { url } = JSON.parse(said) as { url: string };
      const second = await world.run(["serve", "--port", "0"]);
      expect(second.code).toBe(1);
      expect(second.err).toContain(`runs already: ${url}`);
    });
  });

  it("takes the place of a server that died without saying so", async () => {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    const dead = { url: "http://127.0.0.1:1", pid: process.pid, startTicks: 1, startedAt: "2020-01-01" };
    writeFileSync(join(state, "server.json"), JSON.stringify(dead));
    const { code } = await serving(["--json"], async (said) => {
      const { url } = JSON.parse(said) as { url: string };
      expect(JSON.parse(readFileSync(join(state, "server.json"), "utf8"))).toMatchObject({ url });
    });
    expect(code).toBe(0);
  });

  it("keeps the token in a file of the user's choice, readable for nobody else", async () => {
    const file = join(world.root, "my.token");
    await serving(["--json", "--token-file", "my.token"], async (said) => {
      expect(JSON.parse(said)).toMatchObject({ tokenFile: file });
      expect(statSync(file).mode & 0o777).toBe(0o600);
    });
    chmodSync(file, 0o644);
    const { code, err } = await world.run(["serve", "--port", "0", "--token-file", "my.token"]);
    expect(code).toBe(1);
    expect(err).toContain("Others can read the token");
  });

  it("refuses other machines without a certificate, and with one as long as nobody may come in", async () => {
    const open = ["serve", "--host", "0.0.0.0", "--port", "0"];
    const neither = await world.run(open);
    expect(neither.code).toBe(1);
    expect(neither.err).toContain("--tls-cert");
    expect(neither.err).toContain("tokens create");
    await giveToken(createFileTokens(state), { name: "ci", rights: ["call"] });
    const { code, err } = await world.run(open);
    expect(code).toBe(1);
    expect(err).toContain("--tls-cert");
    expect(err).not.toContain("tokens create");
  });

  it("refuses half a certificate, and files that hold none", async () => {
    world.file("cert.pem", "not a certificate");
    const half = await world.run(["serve", "--tls-cert", join(world.root, "cert.pem")]);
    expect(half.err).toContain("needs both");
    const both = ["--tls-cert", join(world.root, "cert.pem"), "--tls-key", join(world.root, "cert.pem")];
    expect((await world.run(["serve", ...both])).err).toContain("not a PEM file");
  });

  it("says how to choose another port when the port is taken", async () => {
    const blocker = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => blocker.once("listening", resolve));
    const { port } = blocker.address() as { port: number };
    const { code, err } = await world.run(["serve", "--port", String(port)]);
    blocker.close();
    expect(code).toBe(1);
    expect(err).toContain(`Port ${port} of 127.0.0.1 is taken`);
    expect(err).toContain("--port 0");
  });

  it("ignores what a project says about the server, and says so", async () => {
    world.file("toolgate.yaml", "server: { host: 0.0.0.0, port: 1 }\n");
    const { code, out, err } = await serving([], async () => {});
    expect(code).toBe(0);
    expect(out).toContain("http://127.0.0.1:");
    expect(err).toContain('"server" is ignored');
  });

  it("takes host, port and limits from the user's configuration", async () => {
    const folder = join(world.home, ".config", "toolgate");
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "config.yaml"),
      "server:\n  host: localhost\n  port: 1\n  limits: { max_per_minute: 2 }\n",
    );
    await serving(["--json"], async (said) => {
      const { url, tokenFile } = JSON.parse(said) as { url: string; tokenFile: string };
      expect(url).toMatch(/^http:\/\/localhost:\d+$/);
      const headers = { authorization: `Bearer ${readFileSync(tokenFile, "utf8").trim()}` };
      const statuses = [];
      for (let count = 0; count < 3; count++)
        statuses.push((await fetch(`${url}/api/me`, { headers })).status);
      expect(statuses).toEqual([200, 200, 429]);
    });
  });
});

describe("toolgate tokens", () => {
  let world: CliWorld;
  beforeEach(() => {
    world = createCliWorld();
  });
  afterEach(() => world.close());

  it("prints a new token once, on standard output alone, and keeps only its hash", async () => {
    const { code, out, err } = await world.run([
      "tokens",
      "create",
      "ci",
      "--rights",
      "call,read",
      "--expires",
      "30d",
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(/^tgk_[\w-]{43}\n$/);
    expect(err).toContain("ci: call, read");
    const kept = join(world.home, ".local", "state", "toolgate", "tokens.json");
    expect(readFileSync(kept, "utf8")).not.toContain(out.trim());
    expect(statSync(kept).mode & 0o777).toBe(0o600);
  });

  it("writes it to a private file when asked to", async () => {
    const { out } = await world.run(["tokens", "create", "ci", "--rights", "call", "--out", "agent.token"]);
    expect(out).toBe("");
    const file = join(world.root, "agent.token");
    expect(readFileSync(file, "utf8")).toMatch(/^tgk_[\w-]{43}\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("lists and revokes them by name", async () => {
    await world.run(["tokens", "create", "ci", "--rights", "call", "--capabilities", "fs:read"]);
    const { out } = await world.run(["tokens", "list", "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      tokens: [{ name: "ci", rights: ["call"], capabilities: ["fs:read"], expired: false }],
    });
    expect(out).not.toContain("sha256");
    expect((await world.run(["tokens", "revoke", "ci"])).code).toBe(0);
    const again = await world.run(["tokens", "revoke", "ci"]);
    expect(again.code).toBe(1);
    expect(again.err).toContain("There is no token");
  });

  it.each([
    [["ci", "--rights", "root"], "There is no right"],
    [["ci", "--rights", "call", "--expires", "soon"], "is no time"],
    [["owner", "--rights", "call"], "toolgate's own name"],
    [["a b", "--rights", "call"], "cannot be a token's name"],
    [["taken", "--rights", "call"], "There is a token"],
    [["ci"], "--rights"],
  ])("refuses %j", async (words, message) => {
    await world.run(["tokens", "create", "taken", "--rights", "call"]);
    const { code, err } = await world.run(["tokens", "create", ...words]);
    expect(code).toBe(1);
    expect(err).toContain(message);
  });
});
