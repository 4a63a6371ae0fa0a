/** `toolgate serve` as a real process that approves what it is asked, with clients that have tokens of their own. */
import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { createFileTokens } from "../../src/stores/files/file-tokens.ts";
import { giveToken } from "../../src/surfaces/http/tokens/give-token.ts";
import { ask } from "../raw-http.ts";
import { type CliWorld, cli, createCliWorld, type Serving } from "./cli-process.ts";

export interface Served extends Serving {
  readonly world: CliWorld;
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
  world.configure(`tools: { enabled_categories: [editing, shell] }
policies: { yes: { tools: '*', action: approve } }
server: { limits: { max_per_minute: 1000000 } }
`);
  const limit = descriptors === undefined ? "" : `ulimit -n ${descriptors}; `;
  const program = [process.execPath, cli, "serve", "--port", "0", "--json"];
  const child = spawn("sh", ["-c", `${limit}exec "$0" "$@"`, ...program], {
    cwd: world.project,
    env: { PATH: process.env.PATH, HOME: world.home },
  });
  const serving = await world.serve([], child);
  onTestFinished(async () => {
    await serving.kill();
    world.close();
  });
  return {
    ...serving,
    world,
    stateFolder: world.state,
    async client(name) {
      const { token } = await giveToken(createFileTokens(world.state), { name, rights: ["call", "read"] });
      const call = async (tool: string, input: object, sessionId?: string) => {
        const { status, text } = await ask(`${serving.url}/api/tools/${tool}/call`, {
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
