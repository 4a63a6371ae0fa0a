/** One upstream server of a gate: which of its tools are offered, by what was accepted and what it says. */
import { messageOf } from "../../core/call/errors.ts";
import { NotAccepted } from "../../core/call/not-accepted.ts";
import type { JsonObject } from "../../core/input/json.ts";
import type { PinStore, ToolPin } from "../../core/ports/pins.ts";
import type { UpstreamStatus } from "../../core/ports/upstream.ts";
import { shownName } from "../../core/text/visible.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import type { RpcProgress } from "../../mcp/progress.ts";
import { KnownDefinitions } from "./pins/known-definitions.ts";
import { withheldBecause } from "./pins/withheld-because.ts";
import { statusOf } from "./server-status.ts";
import type { UpstreamConnection } from "./talk/connect-upstream.ts";
import { OtherStart } from "./talk/connection.ts";
import { emptyOffer, makeOffer, type Offer, type Refused } from "./tools/make-offer.ts";
import { misnamedTools } from "./tools/misnamed-tools.ts";
import { resultFromMcp } from "./tools/result-from-mcp.ts";
import type { UpstreamSpec } from "./upstream-spec.ts";

export interface ServerWiring {
  readonly pins: PinStore;
  readonly connection: UpstreamConnection | undefined;
  /** What is offered may be different now. */
  readonly onOffer: () => void;
}

/** A start ends by itself after `start_timeout_ms`. A look waits for that, however short a call may be. */
const untilStartEndsMs = 2_147_483_647;
/** A server over HTTP says nothing when it is exchanged: it is asked again now and then, beside a call. */
const lookAgainMs = 300_000;
const leastBetweenMs = 1_000;
const mostLooks = 3;

export class UpstreamServer {
  spec: UpstreamSpec;
  readonly connection: UpstreamConnection | undefined;
  readonly #known: KnownDefinitions;
  readonly #onOffer: () => void;
  /** What was running when it was asked for its list: undefined if another was when the list was read. */
  #listedOn: object | undefined;
  /** Its definitions were compared since it started last. */
  #verified = false;
  #verifiedAt = 0;
  /** How often it said that its tools have changed. */
  #changes = 0;
  #lookSoon: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #problem: string | undefined;
  #refusedByGate: readonly Refused[] = [];
  #offer: Offer = emptyOffer;
  #calls = 0;

  constructor(spec: UpstreamSpec, { pins, connection, onOffer }: ServerWiring) {
    this.spec = spec;
    this.connection = connection;
    this.#known = new KnownDefinitions(pins);
    this.#onOffer = onOffer;
    connection?.onChange((change) => {
      if (change.what === "tools") this.#changedWhileRunning();
      // A server that ended may come back as another one.
      else if (change.what === "state" && change.state !== "ready") this.#verified = false;
    });
  }

  /** From now on as the configuration says it; what it connects to is the same. */
  configure(spec: UpstreamSpec): void {
    this.spec = spec;
    this.#makeOffer();
  }

  /** Before it is used, and when somebody, perhaps in another process, has accepted something. */
  async readPins(): Promise<void> {
    await this.#known.read(this.spec.key);
    this.#makeOffer();
  }

  /** Never seen here: nothing can be offered before it was asked. */
  get isNew(): boolean {
    return this.spec.enabled && this.connection !== undefined && this.#known.accepted === undefined;
  }

  get offer(): Offer {
    return this.#offer;
  }

  /** Asks the server for its tools and compares them with what is accepted. Others share the answer. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
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
      problem: this.spec.problem ?? this.#known.problem ?? this.#problem,
      tools: this.#offer.tools.size - this.#refusedByGate.length,
      pending: [...this.#offer.pending.values(), ...this.#known.pendingInstructions()],
      refused: [...this.#known.refused, ...this.#offer.refused, ...this.#refusedByGate],
      misnamed: this.spec.enabled ? misnamedTools(this.spec.tools, this.#known.names()) : [],
      instructions: this.#known.accepted?.instructions,
      seen: this.#known.seen,
      calls: this.#calls,
    });
  }

  async #look(): Promise<void> {
    const { connection } = this;
    if (connection === undefined) return;
    try {
      await connection.start({ timeoutMs: untilStartEndsMs });
      // A list that changes while it is read is read again. A server that never stops is never vouched for.
      for (let looks = 0; looks < mostLooks; looks++) {
        const changes = this.#changes;
        const on = connection.running;
        const listed = await connection.listTools();
        await this.#known.take(listed, connection.health(), this.spec);
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

  /** The server says that its tools have changed: until it is asked, its definitions are not vouched for. */
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

  #makeOffer(): void {
    const { spec } = this;
    this.#offer =
      spec.enabled && this.connection !== undefined
        ? makeOffer(spec, this.#known.findings(), (pin, args, context) => this.#run(pin, args, context))
        : emptyOffer;
  }

  /** Usually one look at a flag. A server that has just started is asked for its definitions first. */
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
    // A look waits for as long as the start takes; a call has its own time.
    await this.connection?.start();
    await this.look();
    return this.#send(pin, args, context, isAgain);
  }

  /** Only what listed the accepted tool is called: not what took its place while the call waited. */
  #send(pin: ToolPin, args: JsonObject, context: ToolContext, isAgain: boolean): Promise<unknown> {
    const { name, digest } = pin;
    const now = this.#known.digestOf(name);
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
      callerId: context.caller.id,
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

function tell(progress: ToolContext["progress"]): (told: RpcProgress) => void {
  return ({ progress: done, ...rest }) => progress({ done, ...rest });
}
