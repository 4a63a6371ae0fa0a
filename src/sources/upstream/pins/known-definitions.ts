/** What is known of one server's tools: accepted, seen last, and listed in this process. */
import { messageOf } from "../../../core/call/errors.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import type { Accepted, PinStore, Seen, ToolPin } from "../../../core/ports/pins.ts";
import type { PendingTool } from "../../../core/ports/upstream.ts";
import type { UpstreamHealth } from "../talk/connection.ts";
import type { Refused } from "../tools/make-offer.ts";
import { readListed } from "../tools/read-listed.ts";
import type { UpstreamSpec } from "../upstream-spec.ts";
import { compareDefinitions, type Findings } from "./compare-definitions.ts";
import { hidesText } from "./hides-text.ts";

type Said = Partial<Pick<UpstreamHealth, "instructions" | "serverInfo" | "capabilities" | "protocolVersion">>;

export class KnownDefinitions {
  readonly #pins: PinStore;
  #accepted: Accepted | undefined;
  /** What was seen last, here or in another process. */
  #seen: Seen | undefined;
  /** What it listed last in this process. */
  #listed: readonly ToolPin[] | undefined;
  #digests: ReadonlyMap<string, string> = new Map();
  #refused: readonly Refused[] = [];
  #problem: string | undefined;
  #lastTurn: Promise<void> = Promise.resolve();

  constructor(pins: PinStore) {
    this.#pins = pins;
  }

  get accepted(): Accepted | undefined {
    return this.#accepted;
  }

  get seen(): Seen | undefined {
    return this.#seen;
  }

  /** Listed, but under a name that no tool can have. */
  get refused(): readonly Refused[] {
    return this.#refused;
  }

  /** Why what was accepted is not known. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** As it listed the tool last. */
  digestOf(name: string): string | undefined {
    return this.#digests.get(name);
  }

  /** Of all tools that it has, offered or not. Undefined: nobody knows them yet. */
  names(): ReadonlySet<string> | undefined {
    const isKnown = this.#problem === undefined && (this.#accepted ?? this.#seen) !== undefined;
    if (this.#listed === undefined && !isKnown) return undefined;
    const { same, fresh, changed } = this.findings();
    const pinned = [...same, ...fresh, ...changed].map(({ name }) => name);
    return new Set([...pinned, ...this.#refused.map(({ tool }) => tool)]);
  }

  /** Somebody, perhaps in another process, has accepted something. */
  read(key: string): Promise<void> {
    return this.#inTurn(async () => {
      const seen = await this.#pins.seen(key);
      try {
        this.#accepted = await this.#pins.accepted(key);
        this.#problem = undefined;
      } catch (error) {
        // Without the pins nobody knows what was accepted: nothing was.
        this.#accepted = { tools: [] };
        this.#problem = messageOf(error);
      }
      this.#seen = seen;
    });
  }

  /**
   * What it lists now, and what it said about itself. At first sight that is accepted, unless a person wants
   * to look first; but what holds text that nobody sees waits for a person who is shown it.
   */
  take(listed: readonly JsonObject[], said: Said, spec: UpstreamSpec): Promise<void> {
    return this.#inTurn(() => this.#take(listed, said, spec));
  }

  findings(): Findings {
    const accepted = this.#accepted?.tools ?? [];
    if (this.#listed !== undefined) return compareDefinitions(accepted, this.#listed);
    // Not asked in this process: what another one saw holds, too.
    const differing = new Map((this.#seen?.tools ?? []).map((pin) => [pin.name, pin]));
    const gone = new Set(this.#seen?.gone ?? []);
    const now = accepted.filter(({ name }) => !differing.has(name) && !gone.has(name));
    return compareDefinitions(accepted, [...now, ...differing.values()]);
  }

  /** Its instructions are other ones than those that were accepted. */
  pendingInstructions(): readonly PendingTool[] {
    const said = this.#seen?.instructions;
    const isOther =
      said !== undefined && this.#accepted !== undefined && said !== this.#accepted.instructions;
    return isOther ? [{ tool: "(instructions)", why: "instructions-changed" }] : [];
  }
  async #take(listed: readonly JsonObject[], said: Said, { key, review }: UpstreamSpec): Promise<void> {
    const { pins, refused } = readListed(listed);
    const { instructions, serverInfo, capabilities, protocolVersion } = said;
    if (this.#accepted === undefined && !review) {
      const at = Date.now();
      const open = pins.filter(({ definition }) => !hidesText(definition));
      const offered: Accepted = {
        tools: open.map((pin) => ({ ...pin, at, by: "first-sight" })),
        ...(instructions !== undefined && !hidesText(instructions) && { instructions }),
      };
      this.#accepted = (await this.#pins.acceptFirst(key, offered)) ?? offered;
    }
    this.#listed = pins;
    this.#digests = new Map(pins.map(({ name, digest }) => [name, digest]));
    this.#refused = refused;
    const { fresh, changed, gone } = compareDefinitions(this.#accepted?.tools ?? [], pins);
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
      await this.#pins.saw(key, this.#seen);
    } catch {
      // It is for other processes, and each of them looks for itself; a full disk must not end what works.
    }
  }

  /** One after the other: what was read before a change must not be taken for what is there after it. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#lastTurn.then(work);
    this.#lastTurn = done.catch(() => {});
    return done;
  }
}
