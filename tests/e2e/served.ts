/** `toolgate serve` as a real process that approves what it is asked, with clients that have tokens of their own. */
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createFileTokens } from "../../src/stores/files/file-tokens.ts";
import { giveToken } from "../../src/surfaces/http/tokens/give-token.ts";
import { ask } from "../raw-http.ts";
import { type CliWorld, cli, createCliWorld, ended } from "./cli-process.ts";

export interface Served {
  readonly world: CliWorld;
  readonly child: ChildProcess;
  readonly url: string;
  readonly stateFolder: string;
  client(name: string): Promise<Client>;
}

export interface Client {
  readonly token: string;
  /** The outcome of a call. */
  call(tool: string, input: object, sessionId?: string): Promise<CallOutcome>;
}

export interface CallOutcome {
  readonly ok: boolean;
  readonly error?: { readonly code: string; readonly message: string };
}

export async function startServed(descriptors?: number): Promise<Served> {
  const world = createCliWorld();
  const home = join(world.folder, "home");
  const config = join(home, ".config", "toolgate", "config.yaml");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(
    config,
    [
      "tools: { enabled_categories: [editing, shell] }",
      "policies: { yes: { tools: '*', action: approve } }",
      "server: { limits: { max_per_minute: 1000000 } }",
      "",
    ].join("\n"),
  );
  const limit = descriptors === undefined ? "" : `ulimit -n ${descriptors}; `;
  const child = spawn(
    "sh",
    ["-c", `${limit}exec "$0" "$@"`, process.execPath, cli, "serve", "--port", "0", "--json"],
    {
      cwd: world.project,
      env: { PATH: process.env.PATH, HOME: home },
      stdio: "pipe",
    },
  );
  const over = ended(child);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await over;
    world.close();
  });
  const serving = await new Promise<{ url: string; tokenFile: string }>((resolve, reject) => {
    child.stdout?.once("data", (line: string) => resolve(JSON.parse(line)));
    void over.then(({ err }) => reject(new Error(err)));
  });
  const stateFolder = dirname(serving.tokenFile);
  const { url } = serving;
  return {
    world,
    child,
    url,
    stateFolder,
    async client(name) {
      const { token } = await giveToken(createFileTokens(stateFolder), { name, rights: ["call", "read"] });
      const call = async (tool: string, input: object, sessionId?: string) => {
        const { status, text } = await ask(`${url}/api/tools/${tool}/call`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({ input, ...(sessionId && { sessionId }) }),
        });
        if (status !== 200) throw new Error(`${status}: ${text}`);
        return JSON.parse(text) as CallOutcome;
      };
      return { token, call };
    },
  };
}
