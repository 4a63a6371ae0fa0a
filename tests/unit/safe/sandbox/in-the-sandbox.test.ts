import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runProcess, startProcess } from "../../../../src/safe/process/spawn.ts";
import { planSandbox, type SandboxOptions } from "../../../../src/safe/sandbox/sandbox-process.ts";
import { describeSandbox } from "./describe-sandbox.ts";

function workspace(): string {
  const path = realpathSync(mkdtempSync("/var/tmp/toolgate-in-sandbox-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const gitEnv = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b.c",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b.c",
};

async function required(root: string, more: Partial<SandboxOptions> = {}) {
  const readOnlyRoots = [dirname(process.execPath)];
  const options = { mode: "required", writableRoots: [root], readOnlyRoots, network: false } as const;
  const sandbox = await planSandbox({ ...options, ...more });
  if (!sandbox.ok) throw new Error(sandbox.message);
  return sandbox;
}

async function inSandbox(root: string, line: string, more: Partial<SandboxOptions> = {}) {
  const how = { cwd: root, sandbox: await required(root, more), env: gitEnv, timeoutMs: 20_000 };
  const end = await runProcess({ command: "bash", args: ["-c", line], ...how });
  if (!end.started) throw new Error(end.message);
  return end;
}

describeSandbox("ordinary work in a sandbox", () => {
  it("goes on: a repository, commits, a clone, packages, builds", async () => {
    const root = workspace();
    const end = await inSandbox(
      root,
      "set -e; git init -q; echo a > a; git add a; git commit -q -m a; git checkout -q -b b; echo b >> a; git commit -qam b; git clone -q . copy; git init -q --bare hub; git push -q hub b; mkdir -p src node_modules/p/.vscode dist; touch node_modules/p/.npmrc Makefile package.json .gitignore .gitattributes; mkdir -p .github/workflows; mv src lib; git rebase -q master; git stash; echo done",
    );
    expect(end.stdout.trim().split("\n").at(-1), end.stderr).toBe("done");
    expect(end.planted).toEqual([]);
    const again = await inSandbox(root, "echo c > c && git add c && git commit -q -m c && git log --oneline");
    expect(again.stdout.trim().split("\n")).toHaveLength(3);
    expect(again.planted).toEqual([]);
  });

  it("leaves no empty files behind where something was kept from appearing", async () => {
    const root = workspace();
    mkdirSync(join(root, ".git"));
    await inSandbox(root, "true");
    expect([readdirSync(root), readdirSync(join(root, ".git"))]).toEqual([[".git"], []]);
  });
});

describeSandbox("what appears in a sandbox and would run outside", () => {
  it("is renamed, not deleted, and told with its reason", async () => {
    const root = workspace();
    const { planted } = await inSandbox(root, "mkdir -p a/.vscode && echo '{}' > a/.vscode/tasks.json");
    expect(planted).toMatchObject([
      { path: join(root, "a/.vscode"), reason: expect.stringMatching(/editor/) },
    ]);
    expect(existsSync(join(root, "a/.vscode"))).toBe(false);
    expect(readFileSync(join(planted[0]?.movedTo ?? "", "tasks.json"), "utf8")).toBe("{}\n");
  });

  it("is taken away while the process still runs, where programs look by themselves", async () => {
    const root = workspace();
    const sandbox = await required(root, { stays: true });
    const args = ["-c", "echo evil > .envrc; sleep 30"];
    const running = await startProcess({ command: "bash", args, cwd: root, sandbox });
    if (!running.started) throw new Error(running.message);
    await expect.poll(() => readdirSync(root).some((name) => name.includes("refused"))).toBe(true);
    expect(existsSync(join(root, ".envrc"))).toBe(false);
    expect((await running.kill()).planted).toMatchObject([{ path: join(root, ".envrc") }]);
  });

  it("stays as it is where it was before, and a copy of it elsewhere counts as new", async () => {
    const root = workspace();
    mkdirSync(join(root, "a/.vscode"), { recursive: true });
    writeFileSync(join(root, "a/.vscode/tasks.json"), "kept");
    const { planted } = await inSandbox(
      root,
      "mv a b; mv a/.vscode .vscode; echo evil > a/.vscode/tasks.json; echo a > a/file",
    );
    expect(planted.map(({ path }) => path)).toEqual([join(root, ".vscode")]);
    expect(readFileSync(join(root, "a/.vscode/tasks.json"), "utf8")).toBe("kept");
    expect(existsSync(join(root, "a/file"))).toBe(true);
  });

  it("is told, and left alone, if something outside changed it meanwhile", async () => {
    const root = workspace();
    writeFileSync(join(root, ".mcp.json"), "{}");
    const ending = inSandbox(root, "touch started; until [ -e done ]; do sleep 0.05; done");
    await expect.poll(() => existsSync(join(root, "started"))).toBe(true);
    writeFileSync(join(root, "new"), '{"a":1}');
    renameSync(join(root, "new"), join(root, ".mcp.json"));
    writeFileSync(join(root, "done"), "");
    expect((await ending).planted).toMatchObject([{ path: join(root, ".mcp.json"), changedOutside: true }]);
    expect(readFileSync(join(root, ".mcp.json"), "utf8")).toBe('{"a":1}');
  });

  it("leads nobody out: a link in its way is not followed when it is taken away", async () => {
    const [root, outside] = [workspace(), workspace()];
    mkdirSync(join(outside, ".claude"));
    await inSandbox(root, `ln -s ${outside} sub; ls sub/.claude`);
    expect(readdirSync(outside)).toEqual([".claude"]);
  });
});

describeSandbox("repositories and processes that stay", () => {
  it("are read-only, because git outside looks into them all the time", async () => {
    const root = workspace();
    mkdirSync(join(root, ".git"));
    writeFileSync(join(root, ".git/HEAD"), "kept");
    const end = await inSandbox(root, "echo evil > .git/HEAD; echo . > .git/commondir; echo a > a", {
      stays: true,
    });
    expect(end.stderr).toMatch(/Read-only file system[\s\S]*Read-only file system/);
    expect([readdirSync(join(root, ".git")), existsSync(join(root, "a"))]).toEqual([["HEAD"], true]);
  });
});

describeSandbox("secrets of the workspace in a sandbox", () => {
  it("are not visible, at any depth, whatever leads there", async () => {
    const root = workspace();
    mkdirSync(join(root, "a/b"), { recursive: true });
    for (const file of [".env", "a/.env.local", "a/b/server.key", "a/b/id_rsa"])
      writeFileSync(join(root, file), "canary");
    mkdirSync(join(root, "a/.ssh"));
    writeFileSync(join(root, "a/.ssh/config"), "canary");
    writeFileSync(join(root, "plain.txt"), "canary");
    symlinkSync("../plain.txt", join(root, "a/.env.test"));
    symlinkSync(".env", join(root, "innocent"));
    writeFileSync(join(root, "src.txt"), "fine");
    const end = await inSandbox(
      root,
      "grep -r canary . ; cat .env innocent a/.env.local a/b/* plain.txt /proc/self/cwd/.env; tar -c . | grep -c canary; ln .env copy; cp .env c2; cat copy c2; mv a z; cat z/.env.local; cat src.txt",
    );
    expect(end.stdout.trim().split("\n")).toEqual(["0", "fine"]);
    expect(readFileSync(join(root, ".env"), "utf8")).toBe("canary");
  });

  it("are visible, not writable, when this call was allowed to read them", async () => {
    const root = workspace();
    writeFileSync(join(root, ".env"), "canary");
    writeFileSync(join(root, ".env.other"), "other");
    const end = await inSandbox(root, "cat .env .env.other; echo evil > .env", {
      protectedPaths: { shown: [join(root, ".env")] },
    });
    expect(end.stdout).toBe("canary");
    expect(readFileSync(join(root, ".env"), "utf8")).toBe("canary");
  });

  it("are packages' own business: certificates there are public", async () => {
    const root = workspace();
    mkdirSync(join(root, "node_modules/p"), { recursive: true });
    writeFileSync(join(root, "node_modules/p/cacert.pem"), "public");
    expect((await inSandbox(root, "cat node_modules/p/cacert.pem")).stdout).toBe("public");
  });

  it("make a required sandbox refuse when they are too many to hide", async () => {
    const root = workspace();
    for (let at = 0; at < 400; at++) writeFileSync(join(root, `${at}.key`), "");
    linkSync(join(root, "1.key"), join(root, "plain"));
    const tooMany = /more secrets and files .* than a sandbox can cover/;
    await expect(inSandbox(root, "true")).rejects.toThrow(tooMany);
    const preferred = await planSandbox({ mode: "preferred", writableRoots: [root], network: false });
    expect(preferred).toMatchObject({
      ok: true,
      active: true,
      note: expect.stringMatching(/than a sandbox can cover/),
    });
  });

  it("make a required sandbox refuse when a folder cannot be named", async () => {
    const root = workspace();
    mkdirSync(Buffer.concat([Buffer.from(`${root}/a`), Buffer.from([0xff])]));
    await expect(inSandbox(root, "true")).rejects.toThrow(/not UTF-8/);
  });
});
