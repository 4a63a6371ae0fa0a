import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { createGate, createMemoryLedger, defineTool } from "../../../../src/index.ts";
import { createFileSpill } from "../../../../src/safe/files/spill.ts";

// Put together at run time, so that no scanner takes this file for a leak.
const secret = ["ghp", "x7Kq2".repeat(8).slice(0, 36)].join("_");

const echo = defineTool({
  id: "text.echo",
  description: "Gives back what it gets.",
  permission: "read",
  input: z.object({ text: z.string(), password: z.string().optional() }),
  maxOutputBytes: 200,
  run: ({ text }) => text,
});

it("a secret in input, result or error is not in the records of the ledger", async () => {
  const ledger = createMemoryLedger();
  await using gate = await createGate({ tools: [echo], ledger });
  await gate.dispatch({ tool: "text.echo", input: { text: `token ${secret}`, password: "hunter2-hunter2" } });
  await gate.dispatch({ tool: "text.echo", input: { text: 7, password: secret } });
  const kept = JSON.stringify(ledger.records());
  expect(kept).not.toContain(secret);
  expect(kept).not.toContain("hunter2-hunter2");
  expect(kept).toContain("[redacted:");
});

it("a secret in the id of a session or a tool use is not in the records of the ledger", async () => {
  const ledger = createMemoryLedger();
  await using gate = await createGate({ tools: [echo], ledger });
  const ids = { sessionId: `s ${secret}`, toolUseId: secret };
  await gate.dispatch({ tool: "text.echo", input: { text: "x" }, ...ids });
  expect(ledger.records()).toMatchObject([
    { sessionId: "s [redacted:github-token]", toolUseId: "[redacted:github-token]" },
  ]);
});

it("a secret in long output is not in the file that keeps the rest", async () => {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-test-"));
  await using gate = await createGate({ tools: [echo], spill: createFileSpill({ folder }) });
  const lines = "line\n".repeat(100);
  await gate.dispatch({ tool: "text.echo", input: { text: `${lines}${secret}\n${lines}` } });
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const kept = files.filter((file) => file.endsWith(".txt"));
  const texts = kept.map((file) => readFileSync(join(folder, file), "utf8"));
  rmSync(folder, { recursive: true });
  expect(texts).toHaveLength(1);
  expect(texts[0]).not.toContain(secret);
});
