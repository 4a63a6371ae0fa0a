/** Remembers which variables somebody asked for: rules depend on exactly those, whatever code asked. */
import type { Environment } from "../folders.ts";

export type ReadVariables = readonly (readonly [name: string, value: string | null])[];

export function trackEnvironment(env: Environment): {
  readonly env: Environment;
  readonly read: () => ReadVariables;
} {
  const asked = new Set<string>();
  const tracked = new Proxy(env, {
    get: (target, name) => (typeof name === "string" ? ask(target, name) : undefined),
    has: (target, name) => typeof name === "string" && ask(target, name) !== undefined,
    getOwnPropertyDescriptor: (target, name) => {
      asked.add(String(name));
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
  function ask(target: Environment, name: string): string | undefined {
    asked.add(name);
    return target[name];
  }
  return { env: tracked, read: () => [...asked].sort().map((name) => [name, env[name] ?? null]) };
}

export function isSameEnvironment(read: ReadVariables, env: Environment): boolean {
  return read.every(([name, value]) => (env[name] ?? null) === value);
}
