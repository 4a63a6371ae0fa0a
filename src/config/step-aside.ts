/** Shipped routes make room for anybody's route of the same name or pattern, except for one from a file that is not trusted. */
import { type Route, routeKey } from "../rules/routes.ts";
import type { Ignored, LoadedSource } from "./loaded-config.ts";

export interface Settled {
  readonly sources: readonly LoadedSource[];
  readonly steppedAside: readonly { readonly name: string; readonly for: string }[];
  readonly ignored: readonly Ignored[];
}

export function stepAside(sources: readonly LoadedSource[]): Settled {
  const steppedAside: { name: string; for: string }[] = [];
  const ignored: Ignored[] = [];
  const shipped = sources.filter(({ tier }) => tier === "shipped").flatMap(routesOf);
  const dropped = new Set<Route>();
  for (const source of sources) {
    if (source.tier === "shipped") continue;
    for (const route of routesOf(source)) {
      for (const other of shipped.filter((one) => isSame(one, route))) {
        if (source.trusted) {
          if (!dropped.has(other)) steppedAside.push({ name: other.name, for: source.file });
          dropped.add(other);
        } else if (!dropped.has(route)) {
          // A stranger's route that never matches could otherwise switch a shipped one off.
          dropped.add(route);
          const line = route.source?.line;
          const why = `it would replace the shipped route "${other.name}"`;
          ignored.push({
            file: source.file,
            what: `route "${route.name}"`,
            why,
            ...(line !== undefined && { line }),
          });
        }
      }
    }
  }
  if (dropped.size === 0) return { sources, steppedAside, ignored };
  const kept = sources.map((source) => ({
    ...source,
    rules: { ...source.rules, routes: routesOf(source).filter((route) => !dropped.has(route)) },
  }));
  return { sources: kept, steppedAside, ignored };
}

function routesOf({ rules }: LoadedSource): readonly Route[] {
  return rules.routes ?? [];
}

function isSame(a: Route, b: Route): boolean {
  return a.name === b.name || routeKey(a) === routeKey(b);
}
