// Which of the files that the source loads late lie together in the bundle. A file for each of them would make 150 files; one for all would
// make every command load what only `serve` needs. So those lie together that need the same things themselves.

import { relative, resolve } from "node:path";

const commands = "surfaces/cli/commands/";

/** Places in `src`; what is in no group, and is no command, is a file of its own. */
const groups = {
  /** Ask a running server, or read the record. */
  asking: [
    ...["approvals/approvals", "approvals/approvals-desk", "approvals/approvals-watch", "audit/audit"].map(
      ofCommand,
    ),
    ofCommand("completion/completion"),
    ofCommand("grants/grants"),
  ],
  /** Read rules, or set an agent up; no tool is opened. */
  judging: [
    ...[
      "audit/audit-proof",
      "check/check",
      "config/config",
      "convert/convert",
      "doctor/doctor",
      "explain/explain",
    ].map(ofCommand),
    ...["init/init", "list/list", "test/test", "trust/trust", "upstreams/upstreams-restart"].map(ofCommand),
    ...["install/install", "install/uninstall", "agents/agents", "import/import-rules"].map(ofCommand),
    "surfaces/hook/process/compile-rules.ts",
    "surfaces/mcp/handlers/permission-check.ts",
    "testing/scripted-model.ts",
  ],
  /** What a program asks the library for. */
  library: [
    "open/open-library-gate.ts",
    "surfaces/mcp/object-transport.ts",
    "surfaces/serve/open-http-handler.ts",
  ],
  /** For the store of many machines. */
  postgres: [
    "stores/postgres/postgres-store.ts",
    "stores/postgres/status.ts",
    "stores/move/sqlite-to-postgres.ts",
    "stores/move/postgres-to-sqlite.ts",
  ],
  /** Small, and wanted before anything else. */
  first: ["open/start-store-thread.ts"],
};

/** Of each agent, by the name of the file. */
const ofAgents = { setup: "judging", hook: "first", routes: "first" };

/** They keep people and agents waiting, or are much larger than all others. */
const alone = ["mcp/mcp", "serve/serve"].map(ofCommand);

/** Loaded late only in the source: in the bundle they lie where they are wanted, and a file of their own would only point there. */
const notLate = ["./open-plugins.ts", "jsonc-parser"];

/** Undefined: a file of its own. */
function groupOf(place) {
  const [known] = Object.entries(groups).find(([, places]) => places.includes(place)) ?? [];
  if (known !== undefined || alone.includes(place)) return known;
  const [, part] = /^agents\/[^/]+\/(\w+)\.ts$/.exec(place) ?? [];
  if (part in ofAgents) return ofAgents[part];
  return place.startsWith(commands) || place === "surfaces/cli/open/tool-options.ts" ? "opening" : undefined;
}

/** Files of their own that load most of the code, however it is cut, and those that do not. */
export function lateAlone(places) {
  const own = places.filter((place) => groupOf(place) === undefined);
  return {
    heavy: own.filter((place) => alone.includes(place)),
    light: own.filter((place) => !alone.includes(place)),
  };
}

const heavyGroups = ["judging", "library", "opening"];

/** For esbuild: `text` is the source of `file`; what it loads late comes from the group's file. */
export function loadTogether(text, file, sources) {
  const here = notLate.filter((name) => text.includes(` await import("${name}")`));
  const given = here.map((name) => `import * as ${keyOf(name)} from "${name}";`).join("");
  const withGiven = here.reduce((all, name) => all.replace(`await import("${name}")`, keyOf(name)), text);
  return (given + withGiven).replaceAll(/(?<!typeof )\bimport\("(\.[^"]+\.ts)"\)/g, (whole, name) => {
    const place = relative(sources, resolve(file, "..", name)).replaceAll("\\", "/");
    const group = groupOf(place);
    if (group === undefined) return whole;
    return `import("late:${group}").then((all) => all.${keyOf(place)})`;
  });
}

/** The files of groups, made of everything that the source loads late (`places`); `first`: what each begins with. */
export function lateFiles(sources, places, first = { heavy: "", light: "" }) {
  return {
    name: "late-files",
    setup(building) {
      building.onResolve({ filter: /^late:/ }, ({ path }) => ({ path: path.slice(5), namespace: "late" }));
      building.onLoad({ filter: /.*/, namespace: "late" }, ({ path }) => ({
        contents: [
          heavyGroups.includes(path) ? first.heavy : first.light,
          ...places
            .filter((place) => groupOf(place) === path)
            .map((place) => `export * as ${keyOf(place)} from ${JSON.stringify(resolve(sources, place))};`),
        ].join("\n"),
        resolveDir: sources,
        loader: "js",
      }));
    },
  };
}

function ofCommand(name) {
  return `${commands}${name}.ts`;
}

function keyOf(place) {
  return place.replaceAll(/\W/g, "_");
}
