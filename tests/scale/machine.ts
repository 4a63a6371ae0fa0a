/** A machine: a home of its own, and a server. What machines share is the database. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CliWorld, cli, createCliWorld, ended } from "../e2e/cli-process.ts";
import { type RawRequest, ask as request } from "../raw-http.ts";

export interface Machine {
  readonly world: CliWorld;
  readonly server: ChildProcess;
  readonly url: string;
  readonly state: string;
}

/** Rules at one path on all machines, as in an image; a limit is named by its file. */
export function sharedRulesFile(): string {
  return join(mkdtempSync(join(tmpdir(), "toolgate-shared-")), "toolgate.yaml");
}

interface Started {
  readonly nodeOptions?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Where it serves, as in images that are alike. Default: a folder of its own. */
  readonly project?: string;
  /** Default: what is built. */
  readonly program?: string;
}

/** Rejects with what it says where it does not start. */
export async function startMachine(
  store: string,
  shared: string,
  rules: string,
  { nodeOptions = [], env = {}, project, program = cli }: Started = {},
): Promise<Machine> {
  const world = createCliWorld({ program });
  const config = join(world.folder, "home", ".config", "toolgate", "config.yaml");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, `store: ${store}\n${rules}`);
  writeFileSync(shared, `store: ${store}\n${rules}`);
  const argv = [...nodeOptions, program, "serve", "--config", shared, "--port", "0", "--json"];
  const server = spawn(process.execPath, argv, {
    cwd: project ?? world.project,
    env: { PATH: process.env.PATH, HOME: join(world.folder, "home"), MODEL_KEY: "x", ...env },
    stdio: "pipe",
  });
  const over = ended(server);
  const { url, tokenFile } = await new Promise<{ url: string; tokenFile: string }>((resolve, reject) => {
    server.stdout?.once("data", (line: string) =>
      "url" in JSON.parse(line) ? resolve(JSON.parse(line)) : reject(new Error(line)),
    );
    void over.then(({ err }) => reject(new Error(err)));
  });
  return { world, server, url, state: dirname(tokenFile) };
}

export async function makeToken({ world }: Machine, name: string, rights: string): Promise<string> {
  const made = await world.run(["tokens", "create", name, "--rights", rights, "--json"]);
  return JSON.parse(made.out).token;
}

/** What a REST route answers. */
export async function askMachine(
  { url }: Machine,
  token: string,
  path: string,
  { body, headers, ...more }: Omit<RawRequest, "body"> & { readonly body?: object } = {},
) {
  const {
    status,
    text,
    headers: answered,
  } = await request(`${url}${path}`, {
    ...more,
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
  });
  // A call that takes seconds is answered as a stream of events; the last one is its answer.
  const events = text.split("\n").filter((line) => line.startsWith("data: "));
  const json = events.at(-1)?.slice("data: ".length) ?? text;
  return { status, headers: answered, json: JSON.parse(json === "" ? "{}" : json) };
}

export function closeMachines(machines: readonly (Machine | undefined)[]): void {
  for (const machine of machines) {
    machine?.server.kill("SIGKILL");
    machine?.world.close();
  }
}
