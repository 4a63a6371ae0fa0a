import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** Which folders of src a folder may import. Imports go one way; what is not in the table is refused. */
const allowed: Record<string, readonly string[]> = {
  core: [],
  rules: ["core"],
  pipeline: ["core", "rules"],
  shell: ["core"],
  safe: ["core"],
  stores: ["core", "safe"],
  mcp: ["core", "safe"],
  sources: ["core", "safe", "mcp"],
  config: ["core", "rules", "safe"],
  agents: ["core"],
  gate: ["core", "rules", "pipeline", "shell", "safe", "stores", "config"],
  sessions: ["core", "safe", "stores", "gate", "mcp", "agents"],
  open: ["core", "rules", "safe", "stores", "config", "agents", "sources", "gate", "sessions"],
  suggest: ["core", "rules", "config"],
  replay: ["core", "rules", "config", "sources", "gate", "open", "suggest"],
  // `testing`: doctor plays the model to the agent that it tries.
  surfaces: [
    "core",
    "rules",
    "config",
    "agents",
    "safe",
    "mcp",
    "sources",
    "testing",
    "gate",
    "open",
    "replay",
    "sessions",
    "suggest",
  ],
  testing: ["core", "safe", "stores", "gate"],
  // The entry points: the public names, and the command.
  ".": ["core", "rules", "pipeline", "stores", "sources", "gate", "open", "sessions", "surfaces"],
};

/** The same one level deeper, where a folder holds several things that must not know each other. */
const allowedInside: Record<string, Record<string, readonly string[]>> = {
  surfaces: {
    // A server that knows neither REST nor MCP nor hooks.
    http: [],
    hook: ["http"],
    rest: ["http", "hook"],
    mcp: ["http", "hook"],
    serve: ["http", "hook", "rest", "mcp"],
    acp: [],
    cli: ["http", "hook", "rest", "mcp", "acp", "serve"],
  },
  sources: {
    upstream: [],
    builtin: ["upstream"],
    plugins: [],
  },
  stores: {
    port: [],
    ledger: [],
    files: [],
    memory: ["port"],
    anchors: ["ledger"],
    sqlite: ["port", "ledger", "anchors", "files", "memory"],
    postgres: ["port", "ledger", "anchors", "files", "memory"],
    move: ["ledger", "files", "sqlite", "postgres"],
  },
};

/** Files that belong to no folder are entry points. */
const entryPoints = ["cli.ts", "index.ts"];

/** Processes, sockets and fetch stay in the folders that guard them. */
const guarded = /^node:(child_process|net|http|https|http2|dgram|tls|cluster|worker_threads)$/;
const mayTouchTheWorld = new Set(["safe", "testing"]);
/** The store's database lives in a thread of its own. */
const mayHaveThreads = new Set(["stores"]);
/** Runs inside of agents, as a part of our plugins: there is nothing of ours but what they bring along. */
const inPlugins = ["agents/in-process/resident.ts"];
/** A server listens; what it fetches still goes through `safe/`. */
const mayListen = /^surfaces\/(?:http|rest|serve|hook)\//;
const listening = /^node:(?:http|https|net)$/;

const src = resolve(dirname(fileURLToPath(import.meta.url)), "../src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

/** `surfaces/http/tokens/give-token.ts` -> `surfaces`; `.` for a file that is in no folder. */
function folderOf(file: string): string {
  return file.includes("/") ? (file.split("/")[0] ?? ".") : ".";
}

/** The folder inside of the folder: `surfaces/http/tokens/give-token.ts` -> `http`. */
function innerFolderOf(file: string): string {
  return folderOf(file.slice(folderOf(file).length + 1));
}

/** Static imports, and every other way to get a module: a module that is loaded late is still imported. */
const ways = [
  /(?:^|\n)(?:import|export)\b(?:[^;"'`]*?\bfrom\s*|\s*)["']([^"']+)["']/g,
  /\b(?:import|require|getBuiltinModule|importActual)\(\s*["']([^"']+)["']/g,
  /\bmoduleBeside\(import\.meta\.url,\s*["']([^"']+)["']/g,
];

/** A module whose name is not written there could be any. */
const unreadable = /\b(?:import|require|getBuiltinModule)\((?!\s*["'])/;
/** They load parts of toolgate, or the SDK of an agent, whose place is known only when it runs: a bundle, or the module that a child or a thread works with. */
const mayLoadAnything = [
  "cli.ts",
  "safe/isolated/child-entry.ts",
  "sessions/runners/claude/find-sdk.ts",
  "stores/sqlite/worker.ts",
  "surfaces/hook/process/load-parts.ts",
];

const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), "utf8")]));

function importsOf(file: string): string[] {
  const text = texts.get(file) ?? "";
  return ways.flatMap((way) => [...text.matchAll(way)].map((match) => match[1] ?? ""));
}

/** What imports what among our own files; types count as much as code. */
const imports = files.flatMap((file) =>
  importsOf(file)
    .filter((name) => name.startsWith("."))
    .map((name) => ({ file, target: relative(src, resolve(src, dirname(file), name)) })),
);

/** What is left of a graph when everything that leads to an end is taken away: the cycles, and what leads into them. */
function cyclesAmong(edges: readonly (readonly [from: string, to: string])[]): string[] {
  let left = edges.filter(([from, to]) => from !== to);
  for (;;) {
    const starts = new Set(left.map(([from]) => from));
    const next = left.filter(([, to]) => starts.has(to));
    if (next.length === left.length) return [...starts].sort();
    left = next;
  }
}

describe("the folders of src", () => {
  it("are all in the table", () => {
    expect([...new Set(files.map(folderOf))].filter((folder) => !(folder in allowed))).toEqual([]);
  });

  it("hold every file but the entry points", () => {
    expect(files.filter((file) => !file.includes("/")).sort()).toEqual(entryPoints);
  });

  it("hold no more files of their own than a reader can take in", () => {
    const counts = Map.groupBy(files, (file) => dirname(file));
    expect([...counts].filter(([, own]) => own.length > 25).map(([folder]) => folder)).toEqual([]);
  });

  it("hold no file that is longer than a reader can take in", () => {
    const lines = (file: string) => readFileSync(join(src, file), "utf8").split("\n").length - 1;
    expect(files.filter((file) => lines(file) > 300)).toEqual([]);
  });

  it("import only what the table allows", () => {
    const wrong = imports.filter(({ file, target }) => {
      const [from, to] = [folderOf(file), folderOf(target)];
      return from !== to && !allowed[from]?.includes(to);
    });
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  it("import inside of a folder only what its table allows", () => {
    const wrong = imports.filter(({ file, target }) => {
      const table = folderOf(file) === folderOf(target) ? allowedInside[folderOf(file)] : undefined;
      const [from, to] = [innerFolderOf(file), innerFolderOf(target)];
      return table !== undefined && from !== to && !table[from]?.includes(to);
    });
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
    for (const [folder, table] of Object.entries(allowedInside)) {
      const inner = files.filter((file) => folderOf(file) === folder).map(innerFolderOf);
      expect([...new Set(inner)].filter((name) => !(name in table))).toEqual([]);
    }
  });

  it("never import each other in a ring", () => {
    expect(cyclesAmong(imports.map(({ file, target }) => [folderOf(file), folderOf(target)]))).toEqual([]);
    for (const folder of Object.keys(allowedInside)) {
      const inner = imports
        .filter(({ file, target }) => folderOf(file) === folder && folderOf(target) === folder)
        .map(({ file, target }) => [innerFolderOf(file), innerFolderOf(target)] as const);
      expect(cyclesAmong(inner), folder).toEqual([]);
    }
  });

  it("load no module whose name cannot be read here", () => {
    const loading = files.filter((file) => unreadable.test(texts.get(file) ?? ""));
    expect(loading.filter((file) => !mayLoadAnything.includes(file))).toEqual([]);
  });

  it("leave processes and sockets to the folders that guard them", () => {
    const wrong = files.flatMap((file) => {
      if (mayTouchTheWorld.has(folderOf(file)) || inPlugins.includes(file)) return [];
      const calls = /\bfetch\(/.test(texts.get(file) ?? "") ? [`${file} calls fetch`] : [];
      return [
        ...importsOf(file)
          .filter((name) => guarded.test(name))
          .filter((name) => !(name === "node:worker_threads" && mayHaveThreads.has(folderOf(file))))
          .filter((name) => !(listening.test(name) && mayListen.test(file)))
          .map((name) => `${file} imports ${name}`),
        ...calls,
      ];
    });
    expect(wrong).toEqual([]);
  });

  it("open each file with a sentence about its job", () => {
    const opening = /^(?:#!.*\n)?\/\*\*/;
    expect(files.filter((file) => !opening.test(texts.get(file) ?? ""))).toEqual([]);
  });
});
