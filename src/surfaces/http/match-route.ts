/** Finds the route of a request: by whole path, or segment by segment where the path has parameters. */
import type { PreparedRoute } from "./prepare-route.ts";

export type RouteMatch =
  | {
      readonly kind: "found";
      readonly route: PreparedRoute;
      readonly params: Readonly<Record<string, string>>;
    }
  | { readonly kind: "wrong_method"; readonly allowed: readonly string[] }
  | { readonly kind: "bad_path" }
  | { readonly kind: "none" };

export type MatchRoute = (method: string, path: string) => RouteMatch;

/** Throws if two routes could answer the same request. */
export function createMatchRoute(routes: readonly PreparedRoute[]): MatchRoute {
  const shapes = new Map<string, Map<string, PreparedRoute>>();
  for (const prepared of routes) {
    const { method, path } = prepared.route;
    const shape = prepared.segments.map((part) => (part.startsWith(":") ? ":" : part)).join("/");
    const byMethod = shapes.get(shape) ?? new Map<string, PreparedRoute>();
    if (byMethod.has(method)) throw new Error(`Two routes answer ${method} ${path}.`);
    shapes.set(shape, byMethod.set(method, prepared));
  }
  const variable = [...shapes]
    .filter(([shape]) => shape.includes(":"))
    .map(([shape, byMethod]) => ({ pattern: shape.split("/"), byMethod }));
  return (method, path) => {
    // A fixed path comes before a pattern, for every method: `/api/tools/reload` is never a tool's name.
    const fixed = path.includes(":") ? undefined : shapes.get(path);
    if (fixed !== undefined) {
      const route = fixed.get(method);
      return route === undefined ? wrongMethod(fixed) : { kind: "found", route, params: noParams };
    }
    const segments = path.split("/", maxSegments + 1);
    const found = variable.find(({ pattern }) => fits(pattern, segments));
    if (found === undefined) return { kind: "none" };
    const route = found.byMethod.get(method);
    if (route === undefined) return wrongMethod(found.byMethod);
    // Names may differ between the methods of one shape.
    const params = readParams(route.segments, segments);
    return params === undefined ? { kind: "bad_path" } : { kind: "found", route, params };
  };
}

const noParams = Object.freeze({});
const maxSegments = 16;

function wrongMethod(byMethod: ReadonlyMap<string, unknown>): RouteMatch {
  return { kind: "wrong_method", allowed: [...byMethod.keys()] };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith(":") ? segments[index] !== "" : part === segments[index]))
  );
}

/** Decoded after the path was taken apart: an encoded slash is part of a value, never a border. */
function readParams(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  try {
    for (const [index, part] of pattern.entries())
      if (part.startsWith(":")) params[part.slice(1)] = decodeURIComponent(segments[index] ?? "");
    return params;
  } catch {
    return undefined;
  }
}
