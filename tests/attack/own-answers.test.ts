/** Ways for an agent to say yes to itself: by the command, by another spelling of it, by the files behind it. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliWorld, call, createCliWorld } from "../unit/surfaces/cli/cli-world.ts";

let world: CliWorld;
beforeAll(() => {
  world = createCliWorld();
});
afterAll(() => world.close());

const state = () => join(world.home, ".local", "state", "toolgate");

describe("an agent that wants to answer its own question", () => {
  it("is refused where it touches the files behind the answers, whatever approves", async () => {
    const commands = [
      `cat ${state()}/toolgate.sqlite`,
      `sqlite3 ${state()}/toolgate.sqlite "UPDATE approvals SET state='approved'"`,
      `cd ${state()} && sqlite3 toolgate.sqlite .dump`,
      `cp mine.sqlite ${state()}/toolgate.sqlite`,
      `echo x > ${state()}/toolgate.sqlite-wal`,
      `rm -rf ${join(state(), "..")}`,
      `mv ${state()} elsewhere`,
      "cat ~/.local/state/toolgate/keys/ledger.pem",
      `ln -s ${state()}/toolgate.sqlite db && sqlite3 db .dump`,
    ];
    const wide = world.file("wide.yaml", "policies:\n  all:\n    tools: '*'\n    action: approve\n");
    const stdin = [...commands, "cat notes.txt"].map((command) => call("Bash", { command })).join("\n");
    const { out } = await world.run(["explain", "--batch", "--config", wide], { stdin });
    const found = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { verdict: string; message: string });
    const [harmless, ...refused] = [...found].reverse();
    expect(harmless?.verdict).toBe("allow");
    expect(refused).toHaveLength(commands.length);
    for (const { verdict, message } of refused) {
      expect(verdict, message).toBe("deny");
      expect(message).toMatch(/belongs to toolgate itself|toolgate's own state/);
    }
  });

  it.each([
    "toolgate approvals approve 3f9c",
    "./node_modules/.bin/toolgate approvals approve 3f9c --scope user",
    "npx --yes toolgate approvals approve 3f9c",
    "env -i PATH=/usr/bin toolgate approvals approve 3f9c",
    "sleep 1; toolgate approvals list --json | head -1; toolgate approvals approve 3f9c",
    "bash -lc 'toolgate approvals approve 3f9c'",
    "CLAUDECODE= toolgate approvals approve 3f9c",
    "script -qc 'toolgate approvals approve 3f9c' /dev/null",
    "nohup setsid toolgate approvals approve 3f9c &",
    "$(toolgate approvals approve 3f9c)",
    "if true; then toolgate approvals approve 3f9c; fi",
    "node ~/lib/node_modules/toolgate/dist/cli.js approvals approve 3f9c",
    "toolgate --json approvals approve 3f9c",
    "toolgate trust --yes",
    "env -u CLAUDECODE npx toolgate trust",
    "CLAUDECODE= toolgate trust . && echo done",
    "toolgate --json trust .toolgate/tools/a.json",
    "toolgate trust . # --list",
    "bash -c 'toolgate trust'",
    "toolgate tokens create me --rights call,approve",
    "env -u CLAUDECODE toolgate tokens create me --rights approve --out t",
    "AI_AGENT= npx toolgate tokens --json revoke ci",
    "node /opt/toolgate/dist/cli.js tokens create me --rights admin",
    "toolgate upstreams accept files --yes",
    "npx --yes toolgate upstreams add mine -- sh -c id",
    "bash -c 'toolgate upstreams remove files'",
    "true && toolgate upstreams import",
    "toolgate grants",
    "env -i toolgate --json grants revoke --all",
    "toolgate uninstall claude-code",
    "env -u CLAUDECODE node ./dist/cli.js uninstall claude-code",
    "toolgate init --force -y",
    "toolgate audit prune --older-than 1s -y",
    'toolgate tools call shell.exec \'{"command":"id"}\' --enable-tools --yes',
    'toolgate tools call shell.exec \'{"command":"id; id | cat && id"}\' --enable-tools --yes',
    'toolgate tools call shell.exec --enable-tools "{\\"command\\":\\"id; id\\"}" -y',
  ])("is stopped by the hook: %s", async (command) => {
    const { code, err } = await world.run(["check"], { stdin: call("Bash", { command }) });
    expect([code, err]).toEqual([2, expect.stringContaining("person's decision")]);
  });
});
