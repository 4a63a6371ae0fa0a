/** What a support store takes from the world: the time and new ids. */
import { randomBytes } from "node:crypto";

export interface StoreOptions {
  readonly now?: () => number;
  /** Unguessable: an id tells nothing about how many tickets other tenants have. */
  readonly newId?: () => string;
}

export function withDefaults({ now = Date.now, newId = randomId }: StoreOptions): Required<StoreOptions> {
  return { now, newId };
}

function randomId(): string {
  return `tic_${randomBytes(10).toString("hex")}`;
}
