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
  open: ["core", "rules", "safe", "stores", "config", "agents", "sources", "gate"],
  replay: ["core", "rules", "config", "sources", "gate", "open"],
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
  ],
  testing: ["core", "safe", "stores", "gate"],
  // The entry points: the public names, and the command.
  ".": ["core", "rules", "pipeline", "stores", "sources", "gate", "open", "surfaces"],
};

/** Which rooms of `sources` a room may import. */
const rooms: Record<string, readonly string[]> = { builtin: ["upstream"], plugins: [], upstream: [] };

/** Files that belong to no folder are entry points. */
const entryPoints = ["cli.ts", "index.ts"];

/** Processes, sockets and fetch stay in the folders that guard them. */
const guarded = /^node:(child_process|net|http|https|http2|dgram|tls|cluster|worker_threads)$/;
const mayTouchTheWorld = new Set(["safe", "testing"]);
/** The store's database lives in a thread of its own. */
const mayHaveThreads = new Set(["stores"]);
/** A server listens; what it fetches still goes through `safe/`. */
const mayListen = /^surfaces\/(?:http|rest|serve|hook)\//;
const listening = /^node:(?:http|https|net)$/;

const src = resolve(dirname(fileURLToPath(import.meta.url)), "../src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

function folderOf(file: string): string {
  return file.includes("/") ? (file.split("/")[0] ?? ".") : ".";
}

/** Static imports, and every other way to get a module: a module that is loaded late is still imported. */
const ways = [
  /(?:^|\n)(?:import|export)\b(?:[^;"'`]*?\bfrom\s*|\s*)["']([^"']+)["']/g,
  /\b(?:import|require|getBuiltinModule|importActual)\(\s*["']([^"']+)["']/g,
  /\bmoduleBeside\(import\.meta\.url,\s*["']([^"']+)["']/g,
];

function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), "utf8");
  return ways.flatMap((way) => [...text.matchAll(way)].map((match) => match[1] ?? ""));
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

  it("import only what the table allows", () => {
    const wrong: string[] = [];
    for (const file of files) {
      const from = folderOf(file);
      for (const target of importsOf(file).filter((specifier) => specifier.startsWith("."))) {
        const to = folderOf(relative(src, resolve(src, dirname(file), target)));
        if (to !== from && !allowed[from]?.includes(to)) wrong.push(`${file} imports ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("keep the sources of tools apart", () => {
    const roomOf = (path: string) => path.split("/")[1] ?? "";
    const wrong = files
      .filter((file) => folderOf(file) === "sources")
      .flatMap((file) => importsOf(file).map((target) => [file, join(dirname(file), target)] as const))
      .filter(([, target]) => folderOf(target) === "sources")
      .filter(
        ([file, target]) => roomOf(file) !== roomOf(target) && !rooms[roomOf(file)]?.includes(roomOf(target)),
      );
    expect(wrong).toEqual([]);
  });

  it("never import each other both ways", () => {
    for (const [from, targets] of Object.entries(allowed)) {
      for (const to of targets) expect(allowed[to], `${from} and ${to}`).not.toContain(from);
    }
  });

  it("leave processes and sockets to the folders that guard them", () => {
    const wrong = files.flatMap((file) => {
      if (mayTouchTheWorld.has(folderOf(file))) return [];
      const calls = /\bfetch\(/.test(readFileSync(join(src, file), "utf8")) ? [`${file} calls fetch`] : [];
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
    expect(files.filter((file) => !opening.test(readFileSync(join(src, file), "utf8")))).toEqual([]);
  });
});
