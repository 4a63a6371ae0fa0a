/** Names a module by the one that asks for it, for those who load it by address: in source it ends in .ts, when built in .js. */

export function moduleBeside(url: string, name: string): URL {
  return new URL(`${name}${url.endsWith(".ts") ? ".ts" : ".js"}`, url);
}
