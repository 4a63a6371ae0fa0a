/** Shipped routes make room for a route of the same name or pattern, and can be switched off, by trusted files. */
import { shownName } from "../core/text/visible.ts";
import { closestNames } from "../core/tool/tool-name.ts";
import { type Route, routeKey } from "../rules/routes.ts";
import type { FileSettings } from "./file/file-settings.ts";
import type { Ignored, LoadedSource, SteppedAside } from "./loaded-config.ts";

export interface Settled {
  readonly sources: readonly LoadedSource[];
  readonly steppedAside: readonly SteppedAside[];
  readonly ignored: readonly Ignored[];
  readonly notes: readonly string[];
}

export interface SwitchedOff {
  readonly file: string;
  /** What of it counts: an untrusted file's was left out before. */
  readonly shipped: FileSettings["shipped"];
}

export function stepAside(sources: readonly LoadedSource[], switches: readonly SwitchedOff[]): Settled {
  const ignored: Ignored[] = [];
  const all = sources.filter(({ tier }) => tier === "shipped").flatMap(routesOf);
  const shipped = new Shipped(all);
  const { off, notes } = switchOff(all, switches);
  const dropped = new Set<Route>(off.keys());
  const steppedAside: SteppedAside[] = [...off].map(([{ name }, file]) => ({ name, for: file, why: "off" }));
  for (const source of sources) {
    if (source.tier === "shipped") continue;
    for (const route of routesOf(source)) {
      for (const other of shipped.sameAs(route)) {
        if (source.trusted) {
          if (!dropped.has(other)) steppedAside.push({ name: other.name, for: source.file, why: "replaced" });
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
  if (dropped.size === 0) return { sources, steppedAside, ignored, notes };
  const kept = sources.map((source) => ({
    ...source,
    rules: { ...source.rules, routes: routesOf(source).filter((route) => !dropped.has(route)) },
  }));
  return { sources: kept, steppedAside, ignored, notes };
}

/** Each route with the first file that switches it off. A name that is none is told: an old one must not stop anything. */
function switchOff(routes: readonly Route[], switches: readonly SwitchedOff[]) {
  const off = new Map<Route, string>();
  const notes: string[] = [];
  const names = routes.map(({ name }) => name);
  for (const { file, shipped } of switches) {
    const named = typeof shipped === "object" ? (shipped ?? []) : [];
    const isAll = shipped === "off" || shipped === false;
    for (const route of routes)
      if ((isAll || named.includes(route.name)) && !off.has(route)) off.set(route, file);
    for (const name of named) {
      // A file that was given alone stands beside no shipped routes.
      if (names.length === 0 || names.includes(name)) continue;
      const [close] = closestNames(name, names, 1);
      const meant = close === undefined ? `They are ${names.join(", ")}.` : `Did you mean ${close}?`;
      notes.push(`${file}: shipped: there is no shipped route ${shownName(name)}. ${meant}`);
    }
  }
  return { off, notes };
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
