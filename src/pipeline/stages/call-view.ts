/** What conditions of policies look at besides the part that they judge: the whole call. */
import type { Caller } from "../../core/call/call.ts";
import type { RoleValues } from "../../core/input/input-roles.ts";
import { asksForMore } from "../../rules/conditions/beside-command.ts";
import type { CallView } from "../../rules/conditions/condition.ts";
import type { Call } from "../calls.ts";
import type { DecidingParts } from "../parts.ts";

export class View implements CallView {
  readonly args: unknown;
  readonly caller: Caller;
  readonly root: string;
  readonly #start: string;
  readonly home: string | undefined;
  patternsExhausted = false;
  readonly #call: Call;
  readonly #roles: RoleValues | undefined;
  readonly #parts: DecidingParts;

  constructor(call: Call, roles: RoleValues | undefined, parts: DecidingParts) {
    this.args = call.args;
    this.caller = call.caller;
    this.root = call.roots[0] ?? call.cwd;
    const [given] = call.planned.isShell ? (roles?.path ?? []) : [];
    this.#start = given ?? ".";
    this.home = parts.home;
    this.#call = call;
    this.#roles = roles;
    this.#parts = parts;
  }

  /** Links followed: `packages/a` may lead into another project. */
  get folder(): string {
    return this.realPath(this.#start);
  }

  get now(): number {
    return this.#parts.clock.now();
  }

  asksForMore(): boolean {
    return this.#call.planned.id === "shell.exec" && asksForMore(this.args);
  }

  content(): readonly string[] {
    return this.#roles?.content ?? [];
  }

  sizeBytes(): number {
    const texts = this.content();
    if (texts.length === 0) return Buffer.byteLength(JSON.stringify(this.#call.input));
    return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  }

  realPath(path: string): string {
    return this.#parts.judges.locatePath(path, this.#call).absolute;
  }

  isProtected(path: string): boolean {
    return this.#parts.judges.locatePath(path, this.#call).protected !== undefined;
  }
}
