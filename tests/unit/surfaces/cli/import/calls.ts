/** Calls near to what settings speak of: as written, wrapped, chained, quoted, redirected, in other places. */
import type { OracleWorld, OwnCall } from "./oracles/verdict.ts";

/** The same numbers in every run. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const lineMutations: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => `${line} --verbose extra.txt`,
  (line) => `${line}x`,
  (line) => line.replace(" ", "  "),
  (line) => line.replace(/^(\S+)/, '"$1"'),
  (line) => line.replace(/^(\S)/, "\\$1"),
  (line) => line.replace(/ (\S+)$/, " '$1'"),
  (line) => `${line} && rm -rf build`,
  (line) => `rm x; ${line}`,
  (line) => `${line} || ${line}`,
  (line) => `${line} | tee out.txt`,
  (line) => `${line}\nwhoami`,
  (line) => `${line} & whoami`,
  (line) => `${line} > out.txt`,
  (line) => `${line} 2>&1`,
  (line) => `${line} < notes.txt`,
  (line) => `${line} $(whoami)`,
  (line) => `echo $(${line})`,
  (line) => `echo \`${line}\``,
  (line) => `(${line})`,
  (line) => `{ ${line}; }`,
  (line) => `! ${line}`,
  (line) => `if ${line}; then whoami; fi`,
  (line) => `timeout 5 ${line}`,
  (line) => `nohup ${line}`,
  (line) => `command ${line}`,
  (line) => `sudo ${line}`,
  (line) => `env A=1 ${line}`,
  (line) => `A=1 ${line}`,
  (line) => `bash -c '${line.replaceAll("'", "")}'`,
  (line) => `eval "${line.replaceAll('"', "")}"`,
  (line) => `xargs ${line}`,
  (line) => `/usr/bin/${line}`,
  (line) => `./${line}`,
  (line) => `cd .. && ${line}`,
  (line) => `${line} 'open`,
  (line) => `${line} # why`,
  (line) => `${line} $HOME`,
  (line) => `${line} *`,
  (line) => `echo '${line.replaceAll("'", "")}'`,
  (line) => `${line}; ${line}`,
  (line) => line.split(" ").slice(0, -1).join(" ") || line,
  (line) => `${line} "a b" 'c;d'`,
];

export const usualLines = [
  "git status",
  "git push --force origin main",
  "git push",
  "rm -rf build",
  "npm run test:unit",
  "npm test",
  "ls -la",
  "curl https://example.test/x",
  "docker ps",
  "cat .env",
  "cat README.md",
  "head secrets/key.txt",
  "make deploy-prod",
  "npx tsc",
];

const pathMutations: readonly ((path: string, world: OracleWorld) => string)[] = [
  (path) => path,
  (path) => `./${path}`,
  (path) => `other/../${path}`,
  (path) => `${path}/../../outside.txt`,
  (path, { root }) => (path.startsWith("/") ? path : `${root}/${path}`),
  (path) => `${path}.bak`,
  (path) => `sub/${path.replace(/^\//, "")}`,
  (path) => `../${path}`,
  (path) => path.replace(/\/[^/]*$/, "/other.bin"),
];

export const usualPaths = [
  "README.md",
  ".env",
  "src/index.ts",
  "secrets/key.txt",
  "/etc/hosts",
  "docs/a/b.md",
];

const hostMutations: readonly ((host: string) => string)[] = [
  (host) => `https://${host}/`,
  (host) => `http://${host}:8080/x?y=1`,
  (host) => `https://sub.${host}/`,
  (host) => `https://${host}.evil.test/`,
  (host) => `https://evil.test/${host}`,
  (host) => `https://user@${host}/`,
  (host) => `https://${host}@evil.test/`,
  (host) => `https://${host.toUpperCase()}/`,
];

export interface CallSeeds {
  readonly lines?: readonly string[];
  readonly paths?: readonly string[];
  readonly hosts?: readonly string[];
  readonly tools?: readonly string[];
}

export interface CallForms {
  shell(line: string): OwnCall;
  read(path: string): OwnCall;
  write(path: string): OwnCall;
  fetch(url: string): OwnCall;
}

/** `count` calls: most are made of the seeds, some of what people often call. */
export function callsNear(
  seeds: CallSeeds,
  forms: CallForms,
  world: OracleWorld,
  random: (below: number) => number,
  count: number,
): OwnCall[] {
  const pick = <Value>(list: readonly Value[]): Value => list[random(list.length)] as Value;
  const { lines = [], paths = [], hosts = [], tools = [] } = seeds;
  const kinds: (() => OwnCall)[] = [
    () => forms.shell(pick(lineMutations)(pick(usualLines))),
    ...lines.map((line) => () => forms.shell(pick(lineMutations)(line))),
    ...lines.map(
      (line) => () => forms.shell(`${pick(lineMutations)(line)} && ${pick(lineMutations)(pick(lines))}`),
    ),
    ...paths.flatMap((path) => [
      () => forms.read(pick(pathMutations)(path, world)),
      () => forms.write(pick(pathMutations)(path, world)),
    ]),
    ...(paths.length === 0 ? [] : [() => forms.shell(`cat ${pick(pathMutations)(pick(paths), world)}`)]),
    () => forms.read(pick(usualPaths)),
    () => forms.write(pick(usualPaths)),
    ...hosts.map((host) => () => forms.fetch(pick(hostMutations)(host))),
    ...tools.map((tool) => () => ({ tool, input: {} })),
  ];
  // Each seed as it is written first.
  const asWritten = [
    ...lines.map(forms.shell),
    ...paths.map(forms.read),
    ...paths.map(forms.write),
    ...hosts.map((host) => forms.fetch(`https://${host}/`)),
  ];
  const others = Array.from({ length: Math.max(0, count - asWritten.length) }, () => pick(kinds)());
  return [...asWritten, ...others];
}
