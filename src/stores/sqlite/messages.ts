/** What the main thread and the worker of the store say to each other. Many operations in one message: a message costs more than most of them. */
import type { MessagePort } from "node:worker_threads";
import type { AreaOptions } from "./area.ts";
import type { DatabaseOptions } from "./open-database.ts";
import type { StoreProblem } from "./store-error.ts";

export interface WorkerStart {
  readonly database: DatabaseOptions;
  readonly stateFolder: string;
  readonly processId: string;
  readonly areaOptions: AreaOptions;
  /** Modules with further areas. */
  readonly modules: readonly string[];
  readonly port: MessagePort;
}

export type Ask = readonly [id: number, kind: "write" | "read", name: string, args: unknown];

export type ToWorker = readonly Ask[] | "close";

export type Told =
  | readonly [id: number, ok: true, value: unknown]
  | readonly [id: number, ok: false, problem: StoreProblem, message: string];

export type FromWorker =
  | readonly Told[]
  | { readonly kind: "ready" }
  | { readonly kind: "refused"; readonly problem: StoreProblem; readonly message: string }
  | { readonly kind: "closed" };
