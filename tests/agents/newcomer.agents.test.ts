/** The first minutes of somebody new: from the packed file to a forced push that does not happen, and back to nothing. */
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { packPackage } from "../e2e/packed.ts";
import { bash, callOnce, describeClaudeCode, refused } from "./session.ts";
import { createWorkbench } from "./workbench.ts";

const push = bash('git -C . push "--force" origin HEAD:main');
/** Somebody's own settings, formatted as nobody's program would. */
const settings = '{ "permissions" : { "allow":["Bash"] },\n\n     "model":"opus" }';

describeClaudeCode("a newcomer with the packed file", () => {
  it("has a forced push stopped in a project of their own, and leaves no byte behind", async () => {
    const packed = await packPackage();
    onTestFinished(() => packed.close());
    const bench = createWorkbench();
    bench.write(".claude/settings.json", settings);
    const installed = join(packed.project, "node_modules/toolgate");
    const toolgate = (...args: string[]) =>
      execFileSync(process.execPath, [join(installed, "dist/cli.js"), ...args], {
        cwd: bench.project,
        env: { ...bench.env },
        encoding: "utf8",
      });
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
        cwd: bench.project,
        env: { ...bench.env },
        encoding: "utf8",
      }).trim();
    const remote = bench.path("remote.git");
    rmSync(bench.path("project/.git"), { recursive: true });
    mkdirSync(remote);
    git("init", "--quiet", "--bare", remote);
    git("init", "--quiet");
    git("remote", "add", "origin", remote);
    git("commit", "--quiet", "--allow-empty", "-m", "theirs");
    git("push", "--quiet", "origin", "HEAD:main");
    const theirs = git("rev-parse", "HEAD");
    git("commit", "--quiet", "--amend", "--allow-empty", "-m", "mine");

    toolgate("init", "--user");
    toolgate("install", "claude-code");
    const told = await callOnce(bench, push, { plugin: false });
    expect(told).toMatchObject(refused("--force-with-lease"));
    expect(git("ls-remote", "origin", "main")).toContain(theirs);

    // Nothing of the gate needs the package, once it is installed.
    renameSync(installed, `${installed}-moved`);
    expect((await callOnce(bench, push, { plugin: false })).isError).toBe(true);
    renameSync(`${installed}-moved`, installed);

    toolgate("uninstall", "claude-code");
    expect(bench.read(".claude/settings.json")).toBe(settings);
    expect(bench.has(".local/share/toolgate")).toBe(false);
    expect((await callOnce(bench, push, { plugin: false })).isError).toBe(false);
    expect(git("ls-remote", "origin", "main")).not.toContain(theirs);
  });
});
