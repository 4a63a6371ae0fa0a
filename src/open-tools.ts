/** A gate of the configuration that also holds the built-in tools: for surfaces that run tools instead of only judging calls. */
/// <reference lib="esnext.disposable" preserve="true" />
import { join } from "node:path";
import { ToolgateError } from "./core/errors.ts";
import type { Gate } from "./gate.ts";
import { type GateRequest, type OpenConfig, openGate } from "./open-config.ts";
import { openStore, type Store } from "./open-store.ts";
import { type BuiltinTools, createBuiltinTools } from "./sources/builtin/builtin-tools.ts";
import { openSqliteSupport } from "./sources/builtin/customer-support/sqlite/sqlite-store.ts";

export interface OpenTools extends AsyncDisposable {
  readonly gate: Gate;
  /** Undefined unless it was asked for (`durable`). */
  readonly store: Store | undefined;
  /** What an earlier process left half done and this start undid. Wait for it before calling tools. */
  readonly recovered: BuiltinTools["recovered"];
  /** Puts the rules of a newer configuration in force; what tools bring along stays. All or nothing: throws if one cannot be used. */
  setRules(config: OpenConfig): Promise<number>;
  /** Ends running calls and background processes, closes databases. */
  close(): Promise<void>;
}

export interface ToolsRequest extends Omit<GateRequest, "policies" | "store"> {
  /** Keeps records, questions, grants and counts in the store of the state folder. Only for those who just look at the tools: false. */
  readonly durable: boolean;
}

/** Rejects with a StoreError if the store cannot be used: nothing runs without a record. */
export async function openTools(config: OpenConfig, request: ToolsRequest): Promise<OpenTools> {
  const { durable, ...gateRequest } = request;
  const { state } = config.folders;
  const store: Store | undefined = durable ? await openStore({ stateFolder: state }) : undefined;
  const builtin = createBuiltinTools({
    editing: { stateFolder: state },
    shell: { hidden: [state] },
    support: { open: () => openSqliteSupport(supportFile(state)) },
    gate: gateOfTools,
  });
  let gate: Gate | undefined;
  const close = async () => {
    await gate?.close();
    await builtin.close();
    await store?.close();
  };
  try {
    const opened = await openGate(config, { ...gateRequest, store, policies: builtin.policies });
    gate = opened;
    for (const tool of builtin.tools) opened.tools.register(tool, { kind: "builtin" });
    const setRules = ({ rules }: OpenConfig) =>
      opened.setRules({ ...rules, policies: [...(rules.policies ?? []), ...builtin.policies] });
    return {
      gate: opened,
      store,
      recovered: builtin.recovered,
      setRules,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }

  /** Tools ask for it when they run, and they run through it. */
  function gateOfTools(): Gate {
    if (gate === undefined) throw new ToolgateError("The gate that holds the tools is not open yet.");
    return gate;
  }
}

/** Where the support tools keep users, tenants and tickets. */
export function supportFile(stateFolder: string): string {
  return join(stateFolder, "support.sqlite");
}
