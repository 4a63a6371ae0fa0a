/** One upstream server as the configuration wants it, with everything resolved. */
import type { Permission } from "../../core/tool/permission.ts";
import type { UpstreamSettings } from "./talk/connection.ts";

export interface UpstreamSpec {
  readonly name: string;
  /** Under which its pins are kept: two projects may each have a server of the same name. */
  readonly key: string;
  readonly transport: "stdio" | "http";
  readonly enabled: boolean;
  /** Undefined: it cannot be connected to, and `problem` says why. */
  readonly settings: UpstreamSettings | undefined;
  readonly problem?: string;
  readonly permission?: Permission | undefined;
  readonly tools: Readonly<Record<string, { readonly permission?: Permission; readonly enabled?: boolean }>>;
  readonly trustAnnotations: boolean;
  readonly review: boolean;
  /** Names what runs, without secrets: an approval for one program must not hold for another. */
  readonly identity: string;
}

export const defaultTimeoutMs = 60_000;
