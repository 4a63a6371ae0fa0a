import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openStore } from "../../../../src/open/open-store.ts";
import { createFileTokens } from "../../../../src/stores/files/file-tokens.ts";
import { giveToken } from "../../../../src/surfaces/http/tokens/give-token.ts";
import { approvalRequest } from "../../stores/sqlite/approval-request.ts";
import { useCliWorld } from "./cli-world.ts";
import { expectEnd, refuses, says } from "./expect-end.ts";
import { createScreen } from "./terminal/screen.ts";

const world = useCliWorld();
const state = (name = "") => join(world.home, ".local/state/toolgate", name);

describe("toolgate serve", () => {
  it("says where it listens and where the token is, but never the token", async () => {
    const { out, err } = await says(
      world.serving(""),
      /toolgate serves http:\/\/127\.0\.0\.1:\d+\n/,
      state("token"),
    );
    const token = readFileSync(state("token"), "utf8").trim();
    expect(out + err).not.toContain(token);
  });

  it("warns where all of the home folder would be its workspace, and in a project does not", async () => {
    const warning = "everything below it is the workspace";
    await expectEnd(world.serving("", undefined, { cwd: world.home }), { err: warning });
    expect((await world.serving("")).err).not.toContain(warning);
  });

  it("shows at a terminal what waits, how to answer, and no more once it is answered", async () => {
    await using store = await openStore({ stateFolder: state() });
    const screen = createScreen();
    const ending = new AbortController();
    const over = world.run("serve --port 0", {
      isTerminal: true,
      env: { COLUMNS: "100", NO_COLOR: "1" },
      signal: ending.signal,
      onOut: screen.print,
      onErr: screen.print,
    });
    await expect.poll(screen.text).toContain("Ctrl-C ends it.\n");
    const input = { command: "git push\u001b[2J\u202e origin" };
    await store.approvals.open(approvalRequest("aaaa1111", { toolId: "shell.exec", input }));
    await expect.poll(screen.text).toContain("1 call waits for an answer:\n  aaaa1111  ");
    expect(screen.text()).toContain("shell.exec");
    expect(screen.text()).toContain("git push\\u{1B}[2J\\u{202E} origin\n");
    expect(screen.text()).toContain("toolgate approvals approve ID");
    await store.approvals.answer("aaaa1111", { decision: "deny", by: "ann" });
    await expect.poll(screen.text).not.toContain("aaaa1111");
    expect(screen.text()).toContain("Ctrl-C ends it.\n");
    ending.abort();
    expect((await over).code).toBe(0);
  });

  it("opens the page that there is, and says so", async () => {
    const opened = join(world.root, "opened");
    const script = `#!/bin/sh\necho "$1" > ${opened}.new && mv ${opened}.new ${opened}\n`;
    chmodSync(world.file("bin/xdg-open", script), 0o755);
    vi.stubEnv("PATH", `${join(world.root, "bin")}:${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { err } = await world.serving("--json --open", async ({ url }) => {
      await expect.poll(() => existsSync(opened)).toBe(true);
      const page = readFileSync(opened, "utf8").trim();
      expect(page.startsWith(url)).toBe(true);
      expect(page).toMatch(/\/#k=[\w-]{22}$/);
    });
    expect(err).not.toContain("/api/health/ready");
  });

  it("is the only server of its state folder", async () => {
    await world.serving("--json", async ({ url }) => {
      await refuses(world.run("serve --port 0"), `runs already: ${url}`);
    });
  });

  it("takes the place of a server that died without saying so", async () => {
    mkdirSync(state(), { recursive: true, mode: 0o700 });
    const dead = { url: "http://127.0.0.1:1", pid: process.pid, startTicks: 1, startedAt: "2020-01-01" };
    writeFileSync(state("server.json"), JSON.stringify(dead));
    const { code } = await world.serving("--json", async ({ url }) => {
      expect(JSON.parse(readFileSync(state("server.json"), "utf8"))).toMatchObject({ url });
    });
    expect(code).toBe(0);
  });

  it("keeps the token in a file of the user's choice, readable for nobody else", async () => {
    const file = join(world.root, "my.token");
    await world.serving("--json --token-file my.token", async ({ tokenFile }) => {
      expect(tokenFile).toBe(file);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    });
    chmodSync(file, 0o644);
    await refuses(world.run("serve --port 0 --token-file my.token"), "Others can read the token");
  });

  it("refuses other machines without a certificate, and with one as long as nobody may come in", async () => {
    const open = ["serve", "--host", "0.0.0.0", "--port", "0"];
    await refuses(world.run(open), "--tls-cert", "tokens create");
    await giveToken(createFileTokens(state()), { name: "ci", rights: ["call"] });
    await expectEnd(world.run(open), { code: 1, err: "--tls-cert", never: "tokens create" });
  });

  it("refuses half a certificate, and files that hold none", async () => {
    const file = world.file("cert.pem", "not a certificate");
    await refuses(world.run(`serve --tls-cert ${file}`), "needs both");
    await refuses(world.run(`serve --tls-cert ${file} --tls-key ${file}`), "not a PEM file");
  });

  it("says how to choose another port when the port is taken", async () => {
    const blocker = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => blocker.once("listening", resolve));
    const { port } = blocker.address() as { port: number };
    onTestFinished(() => void blocker.close());
    await refuses(world.run(`serve --port ${port}`), `Port ${port} of 127.0.0.1 is taken`, "--port 0");
  });

  it("ignores what a project says about the server, and says so", async () => {
    world.file("toolgate.yaml", "server: { host: 0.0.0.0, port: 1 }\n");
    await expectEnd(world.serving(""), { out: "http://127.0.0.1:", err: '"server" is ignored' });
  });

  it("takes host, port and limits from the user's configuration", async () => {
    world.configure("server:\n  host: localhost\n  port: 1\n  limits: { max_per_minute: 2 }\n");
    await world.serving("--json", async ({ url, token }) => {
      expect(url).toMatch(/^http:\/\/localhost:\d+$/);
      const headers = { authorization: `Bearer ${token}` };
      const statuses = [];
      for (let count = 0; count < 3; count++)
        statuses.push((await fetch(`${url}/api/me`, { headers })).status);
      expect(statuses).toEqual([200, 200, 429]);
    });
  });
});

describe("toolgate tokens", () => {
  it("prints a new token once, on standard output alone, and keeps only its hash", async () => {
    const { out } = await expectEnd(world.run("tokens create ci --rights call,read --expires 30d"), {
      out: /^tgk_[\w-]{43}\n$/,
      err: "ci: call, read",
    });
    const kept = state("tokens.json");
    expect(readFileSync(kept, "utf8")).not.toContain(out.trim());
    expect(statSync(kept).mode & 0o777).toBe(0o600);
  });

  it("writes it to a private file when asked to", async () => {
    await expectEnd(world.run("tokens create ci --rights call --out agent.token"), { out: "" });
    const file = join(world.root, "agent.token");
    expect(readFileSync(file, "utf8")).toMatch(/^tgk_[\w-]{43}\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("lists and revokes them by name", async () => {
    await world.run("tokens create ci --rights call --capabilities fs:read");
    const { out } = await world.run("tokens list --json");
    expect(JSON.parse(out)).toMatchObject({
      tokens: [{ name: "ci", rights: ["call"], capabilities: ["fs:read"], expired: false }],
    });
    expect(out).not.toContain("sha256");
    expect((await world.run("tokens revoke ci")).code).toBe(0);
    await refuses(world.run("tokens revoke ci"), "There is no token");
  });

  it.each([
    ["ci --rights root", "There is no right"],
    ["ci --rights call --expires soon", "is no time"],
    ["owner --rights call", "toolgate's own name"],
    ["'a b' --rights call", "cannot be a token's name"],
    ["taken --rights call", "There is a token"],
    ["ci", "--rights"],
  ])("refuses %j", async (words, message) => {
    await world.run("tokens create taken --rights call");
    await refuses(world.run(`tokens create ${words}`), message);
  });
});
