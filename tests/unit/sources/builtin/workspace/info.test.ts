import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { info } from "../../../../../src/sources/builtin/workspace/info.ts";
import { withoutCredentials } from "../../../../../src/sources/builtin/workspace/remote-url.ts";
import { describeGit, gitGate } from "../git/git-gate.ts";

const tools = [info];

describeGit("workspace.info", () => {
  it("tells the path, the branch, the commit and the remote as JSON", async () => {
    const { git, root, data, text } = await gitGate({ files: { "a.txt": "a", "sub/b.txt": "b" }, tools });
    git("remote", "add", "origin", "https://ann:hunter2@example.com/x/y.git?token=abc");
    const facts = {
      projectPath: root,
      branch: "main",
      commit: git("rev-parse", "HEAD").trim(),
      remote: "https://example.com/x/y.git",
    };
    expect(await data("workspace.info")).toEqual(facts);
    expect(JSON.parse(await text("workspace-info"))).toEqual(facts);
    expect(await data("workspace.info", {}, { cwd: join(root, "sub") })).toEqual(facts);
  });

  it("takes the remote that the branch follows, else origin, else the first", async () => {
    const { data, git } = await gitGate({ files: { "a.txt": "a" }, tools });
    const remote = async () => (await data("workspace.info")).remote;
    expect(await remote()).toBeNull();
    git("remote", "add", "first", "git@example.com:first.git");
    expect(await remote()).toBe("git@example.com:first.git");
    git("remote", "add", "origin", "git@example.com:origin.git");
    expect(await remote()).toBe("git@example.com:origin.git");
    git("config", "branch.main.remote", "first");
    expect(await remote()).toBe("git@example.com:first.git");
    git("config", "url.https://token@example.com/.insteadOf", "git@example.com:");
    expect(await remote()).toBe("git@example.com:first.git");
  });

  it("says null where there is nothing: no commit, no branch, no repository", async () => {
    const empty = await gitGate({ tools });
    expect(await empty.data("workspace.info")).toEqual({
      projectPath: empty.root,
      branch: "main",
      commit: null,
      remote: null,
    });
    const detached = await gitGate({ files: { "a.txt": "a" }, tools });
    detached.git("checkout", "-q", "--detach");
    expect(await detached.data("workspace.info")).toMatchObject({ branch: null, commit: expect.any(String) });
    const none = await gitGate({ init: false, tools });
    mkdirSync(join(none.root, "sub"));
    const facts = { projectPath: none.root, branch: null, commit: null, remote: null };
    expect(await none.data("workspace.info", {}, { cwd: join(none.root, "sub") })).toEqual(facts);
  });

  it("tells of a larger repository only where the workspace is", async () => {
    const { data, root } = await gitGate({ files: { "pkg/b.txt": "b" }, workspace: "pkg", tools });
    expect(await data("workspace.info")).toMatchObject({
      projectPath: join(root, "pkg"),
      branch: "main",
    });
  });

  it("is on by default, works in plan mode, and refuses what does not fit", async () => {
    const gate = await gitGate({ files: { "a.txt": "a" }, tools, gate: { enable: {}, policies: [] } });
    expect(await gate.call("workspace_info", {}, { mode: "plan" })).toMatchObject({
      ok: true,
      tool: "workspace.info",
    });
    expect(await gate.code("workspace.info", { path: "." })).toBe("invalid_input");
    expect(await gate.code("workspace.info", {}, { cwd: gate.base })).toBe("outside_root");
    symlinkSync(gate.base, join(gate.root, "out"));
    expect(await gate.code("workspace.info", {}, { cwd: join(gate.root, "out") })).toBe("outside_root");
  });
});

describe("the address of a remote without credentials", () => {
  it.each([
    ["https://example.com/x.git", "https://example.com/x.git"],
    ["https://ann@example.com/x.git", "https://example.com/x.git"],
    ["https://ann:pass@example.com:8443/x.git", "https://example.com:8443/x.git"],
    ["https://a:p@ss@w@example.com/x", "https://example.com/x"],
    [
      "https://x-access-token:ghs_abcdefghijklmnopqrstuvwxyz0123456789@github.com/a/b",
      "https://github.com/a/b",
    ],
    ["https://example.com/x.git?private_token=abc#frag", "https://example.com/x.git"],
    ["https://example.com/x.git;token=abc", "https://example.com/x.git"],
    ["HTTPS://ann:pass@example.com/x", "HTTPS://example.com/x"],
    ["ssh://git@example.com:22/x.git", "ssh://git@example.com:22/x.git"],
    ["ssh://ann:pass@example.com/x.git", "ssh://example.com/x.git"],
    ["git@example.com:x/y.git", "git@example.com:x/y.git"],
    ["ann:pass@example.com:x/y.git", "example.com:x/y.git"],
    ["ftp://ann:pass@example.com/x", "ftp://example.com/x"],
    ["/srv/git/x.git", "/srv/git/x.git"],
    ["../x@y.git", "../x@y.git"],
    ["file:///srv/git/x.git", "file:///srv/git/x.git"],
    ["ext::sh -c 'curl -u ann:pass %S'", "ext::..."],
    ["codecommit::https://ann:pass@example.com/x", "codecommit::https://example.com/x"],
    ["https://[::1]:8443/x", "https://[::1]:8443/x"],
    ["", ""],
  ])("%s", (address, expected) => {
    expect(withoutCredentials(address)).toBe(expected);
  });

  it.each([
    "https://user:canary@h/x",
    "https://canary@h/x",
    "https://h/x?access_token=canary",
    "https://h/x?a=b&canary",
    "https://h/x#canary",
    "ssh://u:canary@h/x",
    "u:canary@h:x",
    "http://h\\@canary@x/",
    "https://canary:x-oauth-basic@h/x",
    "helper::https://u:canary@h/x",
    "ext::canary",
    "https://u:canary\n@h/x",
    "https://u:canary#@h/x",
    "https://u:canary/@h/x",
  ])("never holds the secret of %j", (address) => {
    expect(withoutCredentials(address)).not.toContain("canary");
  });
});
