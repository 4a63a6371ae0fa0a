/** Names a module beside the one that asks, to load it by address: .ts in source, .js when built. */

export function moduleBeside(url: string, name: string): URL {
  return new URL(`${name}${url.endsWith(".ts") ? ".ts" : ".js"}`, url);
}
