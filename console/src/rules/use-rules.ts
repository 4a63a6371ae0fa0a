/** The four kinds of rules as one list, in the order of the files they are written in. */
import type { HookList, LimitList, PolicyList, RouteList } from "toolgate/contract";
import { useRead } from "../api/use-read.ts";

export interface Rule {
  readonly id: string;
  readonly kind: "policy" | "route" | "limit" | "hook";
  readonly name: string;
  readonly tools: readonly string[];
  /** One word: what it does. */
  readonly says: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
  /** `toolgate.yaml:31`, or who ships it. */
  readonly place: string;
  readonly whole: Readonly<Record<string, unknown>>;
}

interface Wired {
  readonly name: string;
  readonly tools?: readonly string[];
  readonly action?: unknown;
  readonly type?: unknown;
  readonly mode?: unknown;
  readonly tier?: string;
  readonly source?: { readonly file: string; readonly line?: number };
}

export function useRules() {
  const policies = useRead<PolicyList>("api/policies");
  const routes = useRead<RouteList>("api/routes");
  const limits = useRead<LimitList>("api/limits");
  const hooks = useRead<HookList>("api/hooks");
  const all = [policies, routes, limits, hooks];
  const error = all.find((one) => one.error !== null)?.error ?? null;
  const isRead = all.every(({ data }) => data !== undefined);
  const rules = [
    ...(policies.data?.policies ?? []).map((one) => toRule("policy", one as unknown as Wired)),
    ...(routes.data?.routes ?? []).map((one) => toRule("route", one as unknown as Wired)),
    ...(limits.data?.limits ?? []).map((one) => toRule("limit", one as unknown as Wired)),
    ...(hooks.data?.hooks ?? []).map((one) => toRule("hook", one as unknown as Wired)),
  ];
  return {
    data: isRead ? rules.sort(byPlace) : undefined,
    error,
    refetch: () => Promise.all(all.map((one) => one.refetch())),
  };
}

function toRule(kind: Rule["kind"], wired: Wired): Rule {
  const { name, tools = ["*"], action, type, tier, source, mode } = wired;
  const file = source?.file.split("/").slice(-2).join("/");
  const place =
    file === undefined
      ? (tier ?? "built in")
      : `${file}${source?.line === undefined ? "" : `:${source.line}`}`;
  const does =
    kind === "limit" ? "limits" : kind === "hook" ? String(type ?? "hook") : String(action ?? kind);
  const says = mode === "shadow" ? `${does}, in shadow mode` : does;
  return {
    id: `${kind}:${name}`,
    kind,
    name,
    tools,
    says,
    file: source?.file,
    line: source?.line,
    place,
    whole: wired as unknown as Rule["whole"],
  };
}

function byPlace(one: Rule, other: Rule): number {
  return (
    (one.file ?? "~").localeCompare(other.file ?? "~") ||
    (one.line ?? 0) - (other.line ?? 0) ||
    one.name.localeCompare(other.name)
  );
}
