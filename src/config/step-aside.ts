/** Shipped routes make room for a route of the same name or pattern, unless its file is not trusted. */
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
  const shipped = new Shipped(sources.filter(({ tier }) => tier === "shipped").flatMap(routesOf));
  const dropped = new Set<Route>();
  for (const source of sources) {
    if (source.tier === "shipped") continue;
    for (const route of routesOf(source)) {
      for (const other of shipped.sameAs(route)) {
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

/** Found by name and by what they look for: a file may hold thousands of routes. */
class Shipped {
  readonly #byName: Map<string, Route>;
  readonly #byKey: Map<string, Route>;

  constructor(routes: readonly Route[]) {
    this.#byName = new Map(routes.map((route) => [route.name, route]));
    this.#byKey = new Map(routes.map((route) => [routeKey(route), route]));
  }

  sameAs(route: Route): readonly Route[] {
    const found = [this.#byName.get(route.name), this.#byKey.get(routeKey(route))];
    return [...new Set(found)].filter((one) => one !== undefined);
  }
}
