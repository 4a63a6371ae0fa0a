/** What the main thread and the store's worker say to each other. One message carries many operations. */
import type { MessagePort } from "node:worker_threads";
import type { StoreProblem } from "../../core/ports/store-error.ts";
import type { AreaOptions } from "./area.ts";
import type { DatabaseOptions } from "./open-database.ts";

export interface WorkerStart {
  readonly database: DatabaseOptions;
  readonly stateFolder: string;
  readonly processId: string;
  readonly areaOptions: AreaOptions;
  /** Modules with further areas. */
  readonly modules: readonly string[];
  readonly closingPatienceMs: number | undefined;
  readonly port: MessagePort;
}

/** Id, kind, name, arguments, id, kind ...: one flat list crosses threads faster than a list of lists. */
export type Asks = readonly unknown[];
export const partsOfAsk = 4;

export type ToWorker = Asks | "close";

export interface Told {
  /** Those that ended well and have nothing to say. */
  readonly done: readonly number[];
  readonly values: readonly (readonly [id: number, value: unknown])[];
  readonly failed: readonly (readonly [id: number, problem: StoreProblem, message: string])[];
}

export type FromWorker =
  | ({ readonly kind: "told" } & Told)
  | { readonly kind: "ready" }
  | { readonly kind: "refused"; readonly problem: StoreProblem; readonly message: string }
  /** `left`: it could not be closed in order, and why. */
  | {
      readonly kind: "closed";
      readonly left?: { readonly problem: StoreProblem; readonly message: string } | undefined;
    };
