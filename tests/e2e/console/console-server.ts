/** A real `toolgate serve` with a home, a project and a store of its own. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CliWorld, createCliWorld, ended } from "../cli-process.ts";

export const consoleRules = `
tools: { enabled_categories: [editing, shell, search] }
policies:
  shell-asks:
    tools: shell.exec
    action: ask
    reason: Commands need a person.
    tests:
      - { desc: asks about a push, input: { tool_name: shell.exec, tool_input: { command: git push } }, expect: ask }
  edits-ask:
    tools: fs.write
    action: ask
    reason: Writing needs a person.
  reads-pass:
    tools: "fs.*"
    action: approve
    conditions:
      - { type: risk, operator: equals, value: read }
routes:
  no-forced-push:
    tool: Bash
    pattern: "git push.*--force"
    message: Open a pull request instead.
limits:
  not-too-many: { tools: "*", per: caller, max: 100000, windowMs: 60000 }
server: { limits: { max_per_minute: 1000000 } }
`;

export function prepareCliWorld(config: string): CliWorld {
  const cli = createCliWorld();
  const file = join(cli.folder, "home", ".config", "toolgate", "config.yaml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, config);
  writeFileSync(join(cli.project, "notes.txt"), "one\ntwo\nthree\n");
  return cli;
}

export interface RunningServer {
  readonly url: string;
  readonly stateFolder: string;
  stop(): Promise<void>;
}

export async function startServer(
  cli: CliWorld,
  port: string,
  env: NodeJS.ProcessEnv = {},
): Promise<RunningServer> {
  const child = cli.start(["serve", "--port", port, "--json"], [], env);
  const over = ended(child);
  const { url, tokenFile } = await new Promise<{ url: string; tokenFile: string }>((resolve, reject) => {
    child.stdout?.once("data", (line: string) => resolve(JSON.parse(line)));
    void over.then(({ err }) => reject(new Error(err)));
  });
  return {
    url,
    stateFolder: dirname(tokenFile),
    async stop() {
      child.kill("SIGKILL");
      await over;
    },
  };
}
