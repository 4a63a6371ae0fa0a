#!/usr/bin/env node
/** The `toolgate` command. Written so that a Node that is too old still understands it and can say so. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const argv = process.argv.slice(2);
const [check, agent] = /^check(?: --agent[ =]([a-z][a-z-]*))?$/.exec(argv.join(" ")) ?? [];
const bundle = fileURLToPath(new URL("./hook/hook.cjs", import.meta.url));
// Each agent that the hook knows has a file of its own beside it.
const isPlainCheck =
  check !== undefined &&
  (agent === undefined || existsSync(new URL(`./hook/agent-${agent}.cjs`, import.meta.url)));
const few = new URL("./lib/start.js", import.meta.url);

if (isPlainCheck && major >= 18 && !isatty(0) && existsSync(bundle)) {
  // An agent waits for this on every call: the hook is one file, and runs on older Nodes, too.
  process.argv = [process.execPath, bundle, ...(agent === undefined ? [] : [agent])];
  createRequire(import.meta.url)(bundle);
} else if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `toolgate needs Node 22.18 or newer; this is ${process.version}. Install a newer one from https://nodejs.org.\n`,
  );
  // Agents let a call pass on any exit code but 2: a check that could not be made must not look like that.
  process.exitCode = argv[0] === "check" ? 2 : 1;
} else {
  // A thousand small files take twice as long to load as the same code in a few.
  const start = existsSync(few) ? startFew() : import("./surfaces/cli/start.ts");
  start.then((loaded) => loaded.start(argv));
}

/** What was compiled for an earlier start is used again. */
async function startFew(): Promise<typeof import("./surfaces/cli/start.ts")> {
  const { useCompiledCode, keepCompiledCode } = await import("./surfaces/cli/compiled-code.ts");
  useCompiledCode(process.env);
  keepCompiledCode();
  return import(few.href);
}
