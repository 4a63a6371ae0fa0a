/** One upstream server of a gate: which of its tools are offered, decided by what was accepted and what it says now. */
import { messageOf } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { NotAccepted } from "../../core/not-accepted.ts";
import type { ToolContext } from "../../core/tool.ts";
import type { PendingTool, UpstreamStatus } from "../../core/upstream.ts";
import { shownName } from "../../core/visible.ts";
import { compareDefinitions, type Findings } from "./compare-definitions.ts";
import {
  OtherStart,
  type RequestOptions,
  type UpstreamConnection,
  type UpstreamProgress,
} from "./connection.ts";
import type { ToolPin } from "./definition.ts";
import { emptyOffer, makeOffer, type Offer, type Refused } from "./make-offer.ts";
import type { Accepted, PinStore, Seen } from "./pin-store.ts";
import { readListed } from "./read-listed.ts";
import { resultFromMcp } from "./result-from-mcp.ts";
import { statusOf } from "./server-status.ts";
import type { UpstreamSpec } from "./upstream-spec.ts";
import { withheldBecause } from "./withheld-because.ts";

export interface ServerWiring {
  readonly pins: PinStore;
  readonly connection: UpstreamConnection | undefined;
  /** What is offered may be different now. */
  readonly onOffer: () => void;
}

/** A server over HTTP says nothing when it is exchanged; it is asked again from time to time, beside a call. */
const lookAgainMs = 300_000;
const leastBetweenMs = 1_000;
const mostLooks = 3;

export class UpstreamServer {
  spec: UpstreamSpec;
  readonly connection: UpstreamConnection | undefined;
  readonly #pins: PinStore;
  readonly #onOffer: () => void;
  #accepted: Accepted | undefined;
  /** What was seen last, here or in another process. */
  #seen: Seen | undefined;
  /** What it listed last in this process. */
  #listed: readonly ToolPin[] | undefined;
  /** The same by name, and what was running when it was listed: undefined if another was when the list was read. */
  #digests: ReadonlyMap<string, string> = new Map();
  #listedOn: object | undefined;
  #refusedByName: readonly Refused[] = [];
  /** Its definitions were compared since it started last. */
  #verified = false;
  #verifiedAt = 0;
  /** How often it said that its tools have changed. */
  #changes = 0;
  #lookSoon: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #problem: string | undefined;
  /** Why what was accepted is not known. */
  #pinsProblem: string | undefined;
  #refusedByGate: readonly Refused[] = [];
  #offer: Offer = emptyOffer;
  #calls = 0;

  constructor(spec: UpstreamSpec, { pins, connection, onOffer }: ServerWiring) {
    this.spec = spec;
    this.connection = connection;
    this.#pins = pins;
    this.#onOffer = onOffer;
    connection?.onChange((change) => {
      if (change.what === "tools") this.#changedWhileRunning();
      // A server that ended may come back as another one.
      else if (change.what === "state" && change.state !== "ready") this.#verified = false;
    });
    this.readPins();
  }

  /** From now on as the configuration says it; what it connects to is the same. */
  configure(spec: UpstreamSpec): void {
    this.spec = spec;
    this.readPins();
  }

  /** Somebody, perhaps in another process, has accepted something. */
  readPins(): void {
    this.#seen = this.#pins.seen(this.spec.key);
    try {
      this.#accepted = this.#pins.accepted(this.spec.key);
      this.#pinsProblem = undefined;
    } catch (error) {
      // Without the pins nobody knows what was accepted: nothing was.
      this.#accepted = { tools: [] };
      this.#pinsProblem = messageOf(error);
    }
    this.#makeOffer();
  }

  /** Never seen here: nothing can be offered before it was asked. */
  get isNew(): boolean {
    return this.spec.enabled && this.connection !== undefined && this.#accepted === undefined;
  }

  get offer(): Offer {
    return this.#offer;
  }

  /** Asks the server for its tools and compares them with what is accepted. Whoever asks meanwhile shares the answer. */
  look(options: RequestOptions = {}): Promise<void> {
    this.#looking ??= this.#look(options).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** What the gate could not take of the offer. */
  refused(refused: readonly Refused[]): void {
    this.#refusedByGate = refused;
  }

  status(): UpstreamStatus {
    return statusOf({
      spec: this.spec,
      health: this.connection?.health(),
      problem: this.spec.problem ?? this.#pinsProblem ?? this.#problem,
      offered: this.#offer.tools.size - this.#refusedByGate.length,
      pending: this.#pending(),
      refused: [...this.#refusedByName, ...this.#offer.refused, ...this.#refusedByGate],
      instructions: this.#accepted?.instructions,
      seen: this.#seen,
      calls: this.#calls,
    });
  }

  async #look(options: RequestOptions): Promise<void> {
    const { connection } = this;
    if (connection === undefined) return;
    try {
      await connection.start(options);
      // What changes while it is being read is read again; a server that never stops changing is never vouched for.
      for (let looks = 0; looks < mostLooks; looks++) {
        const changes = this.#changes;
        const on = connection.running;
        this.#take(await connection.listTools(options));
        this.#listedOn = connection.running === on ? on : undefined;
        this.#verified = changes === this.#changes && this.#listedOn !== undefined;
        if (this.#verified) break;
      }
      this.#verifiedAt = Date.now();
      this.#problem = undefined;
    } catch (error) {
      this.#problem = messageOf(error);
      throw error;
    } finally {
      this.#makeOffer();
      this.#onOffer();
    }
  }

  #take(listed: readonly JsonObject[]): void {
    const { pins, refused } = readListed(listed);
    this.#listed = pins;
    this.#digests = new Map(pins.map(({ name, digest }) => [name, digest]));
    this.#refusedByName = refused;
    const { instructions, serverInfo, capabilities, protocolVersion } = this.connection?.health() ?? {};
    const { key, review } = this.spec;
    if (this.#accepted === undefined && !review) {
      const at = Date.now();
      const tools = this.#listed.map((pin) => ({ ...pin, at, by: "first-sight" as const }));
      this.#accepted = this.#pins.acceptFirst(key, {
        tools,
        ...(instructions !== undefined && { instructions }),
      });
    }
    const { fresh, changed, gone } = compareDefinitions(this.#accepted?.tools ?? [], this.#listed);
    this.#seen = {
      at: Date.now(),
      tools: [...fresh, ...changed],
      gone,
      ...(instructions !== undefined && instructions !== this.#accepted?.instructions && { instructions }),
      ...(serverInfo && { serverInfo }),
      ...(capabilities && { capabilities }),
      ...(protocolVersion !== undefined && { protocolVersion }),
    };
    try {
      this.#pins.saw(key, this.#seen);
    } catch {
      // It is for other processes, and each of them looks for itself; a full disk must not end what works.
    }
  }

  /** The server says that its tools have changed: until it was asked, the old definitions are not vouched for. */
  #changedWhileRunning(): void {
    this.#changes++;
    this.#verified = false;
    // However often it says so, it is asked once a second; a call asks by itself.
    this.#lookSoon ??= setTimeout(
      () => {
        this.#lookSoon = undefined;
        this.look().catch(() => {});
      },
      Math.max(0, this.#verifiedAt + leastBetweenMs - Date.now()),
    ).unref();
  }

  close(): void {
    clearTimeout(this.#lookSoon);
  }

  #findings(): Findings {
    const accepted = this.#accepted?.tools ?? [];
    if (this.#listed !== undefined) return compareDefinitions(accepted, this.#listed);
    // Not asked in this process: what another one saw holds, too.
    const seen = this.#seen;
    const differing = new Map((seen?.tools ?? []).map((pin) => [pin.name, pin]));
    const gone = new Set(seen?.gone ?? []);
    const now = accepted.filter(({ name }) => !differing.has(name) && !gone.has(name));
    return compareDefinitions(accepted, [...now, ...differing.values()]);
  }

  #makeOffer(): void {
    const { spec } = this;
    this.#offer =
      spec.enabled && this.connection !== undefined
        ? makeOffer(spec, this.#findings(), (pin, args, context) => this.#run(pin, args, context))
        : emptyOffer;
  }

  #pending(): PendingTool[] {
    const instructions = this.#seen?.instructions;
    const isOther = instructions !== undefined && instructions !== this.#accepted?.instructions;
    return [
      ...this.#offer.pending.values(),
      ...(isOther && this.#accepted !== undefined
        ? [{ tool: "(instructions)", why: "instructions-changed" as const }]
        : []),
    ];
  }

  /** The quick way is one look at a flag; a server that has just started is asked for its definitions first. */
  #run(pin: ToolPin, args: JsonObject, context: ToolContext): unknown {
    this.#calls++;
    if (!this.#verified) return this.#runVerified(pin, args, context, false);
    if (Date.now() - this.#verifiedAt > lookAgainMs) {
      this.#verifiedAt = Date.now();
      this.look().catch(() => {});
    }
    return this.#send(pin, args, context, false);
  }

  async #runVerified(
    pin: ToolPin,
    args: JsonObject,
    context: ToolContext,
    isAgain: boolean,
  ): Promise<unknown> {
    await this.look();
    return this.#send(pin, args, context, isAgain);
  }

  /** Only what listed the tool as it was accepted is called: not what took its place while the call waited. */
  #send(pin: ToolPin, args: JsonObject, context: ToolContext, isAgain: boolean): Promise<unknown> {
    const { name, digest } = pin;
    const now = this.#digests.get(name);
    if (now === undefined) throw new Error(`${this.spec.name} no longer has the tool ${shownName(name)}.`);
    if (now !== digest) throw new NotAccepted(withheldBecause(this.spec.name, name, "changed"));
    const again = isAgain ? undefined : (error: unknown) => this.#sendAgain(error, pin, args, context);
    if (this.#listedOn === undefined) {
      const other = new OtherStart(this.spec.name);
      return again === undefined ? Promise.reject(other) : again(other);
    }
    const asked = (this.connection as UpstreamConnection).callTool(name, args, {
      on: this.#listedOn,
      signal: context.cancellation ?? context.signal,
      elicit: context.elicit,
      onProgress: context.hearsProgress === false ? undefined : tell(context.progress),
    });
    return asked.then(resultFromMcp, again);
  }

  /** Once, to what was started anew, if its tools are the same. */
  #sendAgain(error: unknown, pin: ToolPin, args: JsonObject, context: ToolContext): Promise<unknown> {
    if (!(error instanceof OtherStart)) throw error;
    return this.#runVerified(pin, args, context, true);
  }
}

function tell(progress: ToolContext["progress"]): (told: UpstreamProgress) => void {
  return ({ progress: done, total, message }) =>
    progress({
      done,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    });
}
