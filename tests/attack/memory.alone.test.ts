/** Input and output made to fill the memory: how far a fresh process grows at its worst moment, for ours and for versions with a mistake. */

import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";

const MOST_GROWTH_BYTES = 50 * 1024 * 1024;

const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
const guard = `const { parseJson, takeJson } = await import(${at("../../src/safe/schema/json-guard.ts")});`;
const spawn = `const { runProcess } = await import(${at("../../src/safe/process/spawn.ts")}); await runProcess({ command: "true", args: [], cwd: "/" });`;

const clients = `const { Connection } = await import(${at("../../src/surfaces/mcp/connection.ts")});
  const kept = [];
  const said = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: {
    protocolVersion: "2025-11-25", capabilities: { elicitation: { form: { pad: "p".repeat(1e6) } }, x: "x".repeat(1e6) },
    clientInfo: { name: "n".repeat(1e6), version: "v".repeat(1e6) } } });
  const begin = () => {
    const connection = new Connection({ send: () => {} }, { legacy: new Map(), modern: new Map(), greeting: {} });
    connection.receiveText(said);
    if (connection.protocolVersion === undefined) throw new Error("not begun");
    return connection;
  };
  const beginMany = (keep) => { for (let i = 0; i < 50; i++) { kept.push(keep()); globalThis.gc(); } };`;

/** `before` is not counted: it makes what the attacker sends. `mistake` is how it is usually done. */
interface Case {
  readonly before: string;
  readonly ours: string;
  readonly mistake: string;
}

const cases: Readonly<Record<string, Case>> = {
  "JSON text a million levels deep": {
    before: `${guard} const text = '{"a":'.repeat(1e6) + '1' + '}'.repeat(1e6);`,
    ours: "if (parseJson(text, { maxBytes: 2 ** 30 }).ok) throw new Error('taken');",
    mistake: "takeJson(JSON.parse(text));",
  },
  "JSON text with half a million keys": {
    before: `${guard} const text = '{' + Array.from({ length: 5e5 }, (_, i) => '"k' + i + '":' + i).join() + '}';`,
    ours: "if (parseJson(text, { maxBytes: 2 ** 30 }).ok) throw new Error('taken');",
    mistake: "if (takeJson(JSON.parse(text)).ok) throw new Error('taken');",
  },
  "a value with half a million small objects": {
    before: `${guard} const value = Array.from({ length: 5e5 }, () => ({ a: 1 }));`,
    ours: "if (takeJson(value).ok) throw new Error('taken');",
    mistake: "takeJson(structuredClone(value));",
  },
  "a list that says it has four thousand million items": {
    before: `${guard} const value = []; value.length = 2 ** 32 - 1;`,
    ours: "if (takeJson(value).ok) throw new Error('taken');",
    mistake: "takeJson(Array.from({ length: Math.min(value.length, 8e6) }, (_, i) => value[i] ?? null));",
  },
  "fifty clients that say megabytes about themselves": {
    before: `${clients} begin(); globalThis.gc();`,
    ours: "beginMany(begin);",
    mistake: "beginMany(() => [begin(), JSON.parse(said).params.clientInfo.name.slice(0, 100)]);",
  },
  "a process that writes without end": {
    before: spawn,
    ours: `const end = await runProcess({ command: "yes", args: ["x".repeat(100)], cwd: "/", timeoutMs: 1_000 });
      if (end.stdout.length > 2 * 1024 * 1024) throw new Error("kept");`,
    mistake: `const { spawn } = await import("node:child_process");
      const chunks = [];
      let bytes = 0;
      await new Promise((done) => {
        const child = spawn("yes", ["x".repeat(100)]).on("close", done);
        child.stdout.on("data", (chunk) => { chunks.push(chunk); if ((bytes += chunk.length) > 1e8) child.kill("SIGKILL"); });
      });`,
  },
  "a process that writes ten megabytes without a line break": {
    before: spawn,
    ours: `const end = await runProcess({ command: "head", args: ["-c", "10000000", "/dev/zero"], cwd: "/" });
      if (end.stdout.length > 2 * 1024 * 1024) throw new Error("kept");`,
    mistake: `const { spawn } = await import("node:child_process");
      let text = "";
      await new Promise((done) => {
        const child = spawn("head", ["-c", "10000000", "/dev/zero"]).on("close", done);
        child.stdout.on("data", (chunk) => { const lines = (text + chunk).split("\\n"); text = lines.pop(); });
      });`,
  },
};

describe.skipIf(process.platform !== "linux")("memory under attack (it needs Linux)", () => {
  it.each(Object.entries(cases))("stays small: %s", (_name, { before, ours }) => {
    expect(growthOf(before, ours)).toBeLessThan(MOST_GROWTH_BYTES);
  });

  it.each(Object.entries(cases))("would not stay small with a mistake: %s", (_name, { before, mistake }) => {
    expect(growthOf(before, mistake)).toBeGreaterThan(MOST_GROWTH_BYTES);
  });
});

/** The kernel keeps the highest use of memory and lets it be reset, so that no moment is missed. */
function growthOf(before: string, work: string): number {
  const program = `
    const { readFileSync, writeFileSync } = await import("node:fs");
    const kib = (field) => Number(new RegExp(field + ":\\\\s+(\\\\d+)").exec(readFileSync("/proc/self/status", "utf8"))[1]);
    ${before}
    globalThis.gc();
    writeFileSync("/proc/self/clear_refs", "5");
    const start = kib("VmRSS");
    ${work}
    console.log((kib("VmHWM") - start) * 1024);`;
  const options = ["--expose-gc", "--input-type=module", "-e", program];
  return Number(execFileSync(process.execPath, options, { encoding: "utf8", timeout: 120_000 }));
}
