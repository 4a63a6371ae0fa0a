#!/usr/bin/env node
/** `npx toolgate` in a clone: a package's own commands are not linked into its own node_modules, those of its workspaces are. */
import { existsSync } from "node:fs";

const cli = new URL("../../dist/cli.js", import.meta.url);
if (existsSync(cli)) await import(cli.href);
else {
  console.error("toolgate is not built yet; run: npm run build");
  process.exitCode = 1;
}
