/** The upstream servers of a gate: connects them, and keeps in the gate what each of them may offer. */

import { messageOf } from "../../core/call/errors.ts";
import type { PinStore } from "../../core/ports/pins.ts";
import type { UpstreamChange, UpstreamStatus } from "../../core/ports/upstream.ts";
import { shownName } from "../../core/text/visible.ts";
import type { UpstreamConnection } from "./talk/connect-upstream.ts";
import type { UpstreamSettings } from "./talk/connection.ts";
import { ToolsInGate, type UpstreamHost } from "./tools/tools-in-gate.ts";
import { UpstreamServer } from "./upstream-server.ts";
import type { UpstreamSpec } from "./upstream-spec.ts";

export interface UpstreamSetOptions {
  readonly host: UpstreamHost;
  readonly pins: PinStore;
  /** Starts nothing. Throws only for settings that can never work. */
  readonly connect: (settings: UpstreamSettings) => UpstreamConnection;
  /** For the person who runs this: what waits for them. */
  readonly note?: ((text: string) => void) | undefined;
  /** For the person who runs this for long: a server that cannot be used, when that begins. */
  readonly tellTrouble?: ((text: string) => void) | undefined;
}

export class UpstreamSet {
  readonly #options: UpstreamSetOptions;
  readonly #servers = new Map<string, UpstreamServer>();
  readonly #inGate: ToolsInGate;
  readonly #listeners = new Set<(change: UpstreamChange) => void>();
  /** What was told last about a server. */
  readonly #troubles = new Map<string, string>();
  readonly #restartsSeen = new Map<string, number | undefined>();
  readonly #closing = new Set<Promise<void>>();
  #order: readonly string[] = [];
  #lastTurn: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: UpstreamSetOptions) {
    this.#options = options;
    this.#inGate = new ToolsInGate(options.host, options.note);
  }

  /** In the order of the configuration. */
  get servers(): readonly UpstreamServer[] {
    return this.#order.flatMap((name) => this.#servers.get(name) ?? []);
  }

  server(name: string): UpstreamServer | undefined {
    return this.#servers.get(name);
  }

  status(): UpstreamStatus[] {
    return this.servers.map((server) => server.status());
  }

  /** Puts a configuration in force. What connects as before stays connected. */
  configure(specs: readonly UpstreamSpec[]): Promise<void> {
    return this.#inTurn(async () => {
      const servers = specs.map((spec) => {
        const server = this.#servers.get(spec.name);
        const isKept = server !== undefined && connectsAlike(server.spec, spec);
        return { spec, server: isKept ? server : this.#make(spec) };
      });
      await Promise.all(servers.map(({ server }) => server.readPins()));
      for (const { spec, server } of servers)
        if (this.#servers.get(spec.name) !== server)
          this.#restartsSeen.set(spec.name, await this.#options.pins.restartAskedAt(spec.key));
      const wanted = new Map(servers.map(({ spec, server }) => [spec.name, server]));
      // All at once: no call sees half of it.
      this.#options.host.batch(() => {
        for (const [name, server] of this.#servers)
          if (wanted.get(name) !== server) this.#remove(name, server);
        for (const { spec, server } of servers) {
          if (this.#servers.has(spec.name)) server.configure(spec);
          else this.#servers.set(spec.name, server);
        }
        this.#order = specs.map(({ name }) => name);
        for (const server of this.servers) this.#inGate.sync(server);
      });
      if (this.#isClosed) this.#endAll();
    });
  }

  /** Asks every server that nobody has seen yet. What fails is in its status, and harms no other. */
  async lookAtNew(): Promise<void> {
    await this.#lookAt(this.servers.filter((server) => server.isNew));
  }

  /** Asks all of them, also those whose tools are known. */
  async lookAtAll(): Promise<void> {
    await this.#lookAt(this.servers.filter(({ spec }) => spec.enabled));
  }

  /** The pins have changed: somebody accepted something, or asks for a new start. */
  readPins(): Promise<void> {
    return this.#inTurn(async () => {
      await Promise.all(this.servers.map((server) => server.readPins()));
      this.#options.host.batch(() => {
        for (const server of this.servers) this.#inGate.sync(server);
      });
      for (const server of this.servers) {
        const { name, key } = server.spec;
        const askedAt = await this.#options.pins.restartAskedAt(key);
        if (askedAt === this.#restartsSeen.get(name)) continue;
        this.#restartsSeen.set(name, askedAt);
        if (askedAt !== undefined) this.restart(name).catch(() => {});
      }
    });
  }

  async restart(name: string): Promise<UpstreamStatus> {
    const server = this.#servers.get(name);
    if (server === undefined) throw new Error(this.explainUnknown(name));
    await server.connection?.restart();
    await server.look().catch(() => {});
    return server.status();
  }

  onChange(listener: (change: UpstreamChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  explainUnknown(name: string): string {
    const known = this.#order.join(", ");
    return `There is no upstream ${shownName(name)}. ${known === "" ? "None is configured." : `Known: ${known}.`}`;
  }

  /** Resolves when no process and no connection is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endAll();
    await this.#lastTurn;
    await Promise.allSettled([...this.#closing]);
  }

  #endAll(): void {
    for (const [name, server] of this.#servers) this.#end(name, server);
  }

  /** One change after the other: what was read for one must not be put in force after the next. */
  #inTurn(change: () => Promise<void>): Promise<void> {
    const done = this.#lastTurn.then(change);
    this.#lastTurn = done.catch(() => {});
    return done;
  }

  /** Once for each reason: a server that fails is tried again and again. */
  #tellTrouble(name: string, why = "it cannot be used"): void {
    if (this.#troubles.get(name) === why) return;
    this.#troubles.set(name, why);
    this.#options.tellTrouble?.(`Upstream ${name}: ${why}`);
  }

  async #lookAt(servers: readonly UpstreamServer[]): Promise<void> {
    await Promise.allSettled(servers.map((server) => server.look()));
  }

  #make(spec: UpstreamSpec): UpstreamServer {
    const { pins, connect } = this.#options;
    const { name } = spec;
    let connection: UpstreamConnection | undefined;
    let placed = spec;
    try {
      connection = spec.enabled && spec.settings !== undefined ? connect(spec.settings) : undefined;
    } catch (error) {
      placed = { ...spec, problem: messageOf(error) };
    }
    const onOffer = () => {
      const server = this.#servers.get(name);
      if (server?.connection !== connection || server === undefined) return;
      if (this.#options.host.batch(() => this.#inGate.sync(server)))
        this.#tell({ server: name, what: "tools" });
    };
    if (placed.enabled && placed.problem !== undefined) this.#tellTrouble(name, placed.problem);
    connection?.onChange((change) => {
      if (change.what === "state" && (change.state === "failing" || change.state === "open-circuit"))
        this.#tellTrouble(name, connection.health().lastError);
      if (change.what === "resources" || change.what === "prompts")
        this.#tell({ server: name, what: change.what });
      else if (change.what === "resource-updated")
        this.#tell({ server: name, what: change.what, uri: change.uri });
    });
    return new UpstreamServer(placed, { pins, connection, onOffer });
  }

  #remove(name: string, server: UpstreamServer): void {
    this.#inGate.remove(name);
    this.#end(name, server);
  }

  #end(name: string, server: UpstreamServer): void {
    this.#servers.delete(name);
    server.close();
    const closing = server.connection?.close();
    if (closing === undefined) return;
    this.#closing.add(closing);
    closing.catch(() => {}).finally(() => this.#closing.delete(closing));
  }

  #tell(change: UpstreamChange): void {
    for (const listener of [...this.#listeners]) listener(change);
  }
}

function connectsAlike(one: UpstreamSpec, other: UpstreamSpec): boolean {
  const what = ({ enabled, key, settings }: UpstreamSpec) => JSON.stringify([enabled, key, settings]);
  return what(one) === what(other);
}
