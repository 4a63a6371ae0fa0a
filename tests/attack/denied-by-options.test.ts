/** A denied command that an option or a word of another program names. */
import { describe, expect, it } from "vitest";
import type { Policy } from "../../src/index.ts";
import { createTestGate } from "../../src/testing/index.ts";
import { denyingOneCommand as denying } from "./denying-one-command.ts";

async function verdict(policies: Policy[], command: string): Promise<string> {
  const { gate } = await createTestGate({ policies });
  return (await gate.explain({ tool: "Bash", input: { command } }, { as: "check" })).verdict;
}

describe("a denied command that an option names is denied", () => {
  it.each([
    "rsync -e 'rm -rf x' a b",
    "rsync -avze 'sh -c \"rm -rf x\"' a b",
    "rsync --rsync-path='rm -rf x' a h:b",
    "make SHELL='rm -rf x'",
    "make --eval='x:; rm -rf y' x",
    "make '--eval=$(shell rm -rf x)'",
    "sort --compress-program='rm -rf x' a",
    "tar xf a --to-command='rm -rf x'",
    "tar cf a b --checkpoint=1 --checkpoint-action=exec='rm -rf x'",
    "tar xf a -I 'rm -rf x'",
    "scp -o ProxyCommand='rm -rf x' a h:",
    "sftp -o 'ProxyCommand rm -rf x' h",
    "git -c core.sshCommand='rm -rf x' fetch",
    "git -c alias.x='!rm -rf x' status",
    "git clone 'ext::rm -rf x' b",
    "zip -T -TT 'rm -rf x' a.zip b",
    "ncat -c 'rm -rf x' h 1",
    "sqlite3 a '.shell rm -rf x'",
    "npm --script-shell 'rm -rf x' run x",
    "npm config set script-shell 'rm -rf x'",
    "cargo --config 'build.rustc=\"rm -rf x\"' build",
    "go test -exec 'rm -rf x' .",
    "fzf --preview 'rm -rf x'",
    "cmake -E env A=1 rm -rf x",
    "hg --config alias.x='!rm -rf x' x",
    "gh alias set x '!rm -rf x'",
    "gnome-terminal -- rm -rf x",
    "ip netns exec x rm -rf y",
  ])("%s", async (command) => {
    for (const operator of ["startsWith", "contains", "usage"] as const)
      expect([operator, await verdict(denying("rm -rf", operator), command)]).toEqual([operator, "deny"]);
    expect(await verdict(denying("^rm -\\w*r", "matches"), command)).toBe("deny");
  });

  it.each([
    "ssh -o ProxyCommand='rm -rf x' h",
    "man -P 'rm -rf x' ls",
    "less '+!rm -rf x' a",
    "awk 'BEGIN{system(\"rm -rf x\")}'",
    "sed '1e rm -rf x' a",
    "vim -c '!rm -rf x'",
    "GIT_SSH_COMMAND='rm -rf x' git fetch",
    "PAGER='rm -rf x' git log",
    "EDITOR='rm -rf x' git commit",
    "export PAGER='rm -rf x'; man ls",
    "git clone --upload-pack='rm -rf x' a b",
    "git -c alias.x=push x",
  ])("or asks, where it is not read: %s", async (command) => {
    expect(await verdict(denying("rm -rf"), command)).toMatch(/^(?:ask|deny)$/);
  });

  it.each([
    "rsync -avze ssh a h:b",
    "rsync -av -e 'ssh -p 22 -i key' a h:b",
    "make SHELL=/bin/bash test",
    "tar -cf a.tar.zst -I 'zstd -19 -T0' b",
    "git -c core.pager=cat log",
    "git commit -m 'core.x=rm -rf x'",
    "npm config set script-shell bash",
    "go test -exec 'sudo -E' ./...",
    "cmake -E copy a b",
    "sort -k2 a",
  ])("%s is left alone", async (command) => {
    expect(await verdict(denying("rm -rf"), command)).toBe("allow");
  });
});
