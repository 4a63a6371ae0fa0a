/** A gate with scripted upstream servers, real processes, in a folder of its own. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect } from "vitest";
import type { PlacedUpstream } from "../../../../src/config/settings/upstream-settings.ts";
import type { PinStore } from "../../../../src/core/ports/pins.ts";
import { createGate } from "../../../../src/gate/create-gate.ts";
import type { Gate } from "../../../../src/gate/gate.ts";
import {
  type OpenUpstreams,
  openUpstreams,
  type UpstreamsMode,
} from "../../../../src/open/open-upstreams.ts";
import type { UpstreamConfig } from "../../../../src/open/resolve-upstreams.ts";
import { createFilePins } from "../../../../src/stores/files/file-pins.ts";

const server = fileURLToPath(new URL("../../../scripted-mcp-server.ts", import.meta.url));

export const echo = {
  name: "echo",
  description: "Says it again.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

export interface Opened {
  readonly gate: Gate;
  readonly open: OpenUpstreams;
  call(tool: string, input?: object): ReturnType<Gate["dispatch"]>;
  names(): string[];
  readonly pins: PinStore;
  configure(entries: readonly PlacedUpstream[]): Promise<void>;
  close(): Promise<void>;
}

/** A world for each test of a file. */
export function useWorld(): { readonly world: UpstreamWorld } {
  const holder = { world: undefined as unknown as UpstreamWorld };
  beforeEach(() => {
    holder.world = new UpstreamWorld();
  });
  afterEach(() => holder.world.close());
  return holder;
}

/** How a program is started as a server, without a sandbox. */
export const program = (command: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
  ({ kind: "stdio", command, args, env, envPass: [], sandbox: "off" }) as const;

export class UpstreamWorld {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-upstream-")));
  readonly #opened = new Set<Opened>();

  /** What the server of this name lists from now on. */
  script(name: string, tools: readonly object[], more: object = {}): void {
    const startsFile = join(this.folder, `${name}.starts`);
    const callsFile = join(this.folder, `${name}.calls`);
    writeFileSync(this.#file(name), JSON.stringify({ tools, startsFile, callsFile, ...more }));
  }

  entry(name: string, more: Partial<PlacedUpstream> = {}): PlacedUpstream {
    return {
      name,
      tier: "user",
      source: { file: join(this.folder, "config.yaml"), line: 1 },
      transport: program(process.execPath, [server, this.#file(name)]),
      enabled: true,
      tools: {},
      trustAnnotations: false,
      review: false,
      era: "legacy",
      ...more,
    };
  }

  /** How often the server was started. */
  starts(name: string): number {
    return this.#lines(`${name}.starts`).length;
  }

  /** Which of its tools the server was asked to run. */
  calls(name: string): string[] {
    return this.#lines(`${name}.calls`);
  }

  async open(
    entries: readonly PlacedUpstream[],
    mode: UpstreamsMode = "first-sight",
    note?: (text: string) => void,
  ): Promise<Opened> {
    const gate = await createGate({
      roots: [this.folder],
      policies: [{ name: "all", tools: "*", action: "approve" }],
    });
    const config = this.#config(entries);
    const pins = createFilePins(config.folders.state);
    const open = await openUpstreams(config, { host: gate.tools, pins, mode, env: process.env, note });
    await open.firstLook;
    const opened: Opened = {
      gate,
      open,
      pins,
      call: (tool, input = {}) => gate.dispatch({ tool, input }),
      names: () => gate.tools.list().map(({ id }) => id),
      configure: (next) => open.configure(this.#config(next)),
      close: async () => {
        this.#opened.delete(opened);
        await gate.close();
        await open.close();
      },
    };
    this.#opened.add(opened);
    return opened;
  }

  async close(): Promise<void> {
    for (const opened of this.#opened) await opened.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #lines(file: string): string[] {
    try {
      return readFileSync(join(this.folder, file), "utf8").trim().split("\n");
    } catch {
      return [];
    }
  }

  #file(name: string): string {
    return join(this.folder, `${name}.json`);
  }

  #config(upstreams: readonly PlacedUpstream[]): UpstreamConfig {
    const at = (name: string) => {
      const folder = join(this.folder, name);
      mkdirSync(folder, { recursive: true });
      return folder;
    };
    return {
      settings: { checkDefault: "abstain", upstreams },
      projectDir: at("project"),
      folders: {
        home: at("home"),
        config: at("config"),
        state: at("state"),
        data: at("data"),
        cache: at("cache"),
        admin: at("admin"),
      },
    };
  }
}

/** Waits for what another process or a notification brings about. */
export async function eventually(check: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(check).toBe(true);
}
