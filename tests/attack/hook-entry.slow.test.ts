/** A host that ignores `timeout` never ends what it started: the entry has to end by itself, and as a denial. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { installClaudeCode } from "../../src/agents/claude-code/set-up/install.ts";
import { createHookCredentials } from "../../src/surfaces/hook/served/hook-credentials.ts";
import { type Entry, hosts, runAs } from "./entry-hosts.ts";

const built = fileURLToPath(new URL("../../dist/hook", import.meta.url));
const call = '{"tool_name":"Bash","tool_input":{"command":"git push"}}';
const shells = hosts.filter(({ isShell }) => isShell);

function createWorld() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-entry-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [home, project, folder] = [join(base, "home"), join(base, "project"), join(base, "hook")];
  const state = join(home, ".local/state/toolgate");
  for (const path of [join(home, ".config/toolgate"), join(project, ".git"), state])
    mkdirSync(path, { recursive: true, mode: 0o700 });
  cpSync(built, folder, { recursive: true });
  writeFileSync(
    join(home, ".config/toolgate/config.yaml"),
    'routes:\n  no-push: { tool: Bash, pattern: "git push", message: "The gate is here." }\n',
  );
  const result = installClaudeCode({
    ...{ home, env: {}, projectDir: project, managedDir: join(base, "etc") },
    ...{ scope: "user", bundle: join(folder, "hook.cjs"), execPath: process.execPath },
  });
  if (!result.ok) throw new Error(result.message);
  const entry: Entry = JSON.parse(readFileSync(result.files[0]?.file ?? "", "utf8")).hooks.PreToolUse[0]
    .hooks[0];
  const env = { HOME: home, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
  return { state, entry, options: { cwd: project, env } };
}

it("ends when its standard input does not, in every shell", async () => {
  const { entry, options } = createWorld();
  const ends = shells.map((host) => runAs(host, entry, call.slice(0, -1), { ...options, keepOpen: true }));
  for (const { code, err } of await Promise.all(ends)) {
    expect(code).toBe(2);
    expect(err).toContain("10 seconds");
  }
}, 60_000);

it("ends when the server that it asks says nothing, and is still a gate", async () => {
  const { state, entry, options } = createWorld();
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as { readonly port: number };
  createHookCredentials(state).announce(`http://127.0.0.1:${port}`);
  for (const { code, err } of await Promise.all(shells.map((host) => runAs(host, entry, call, options)))) {
    expect(code).toBe(2);
    expect(err).toContain("The gate is here.");
  }
}, 60_000);
