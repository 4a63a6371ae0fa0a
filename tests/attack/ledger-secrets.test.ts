import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createGate, defineTool, openStore, textResult } from "../../src/index.ts";
import { createFileSpill } from "../../src/safe/files/spill.ts";
import { intent } from "../contract/samples.ts";

const base = mkdtempSync(join(tmpdir(), "toolgate-secrets-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Put together at run time, so that no scanner takes this file for a leak. */
const random = (length: number, start: number) =>
  Array.from({ length }, (_, index) => "aB3dE6gH9jK2mN5pQ8sT1vW4xY7z"[(start + index * 11) % 28]).join("");
const hex = (length: number, start: number) =>
  Array.from({ length }, (_, index) => "0f1e2d3c4b5a6978"[(start + index * 7) % 16]).join("");

const secrets = {
  githubToken: `ghp_${random(36, 1)}`,
  awsKeyId: `AKIA${random(16, 2).toUpperCase()}`,
  awsSecret: random(40, 3),
  openaiKey: `sk-proj-${random(48, 4)}`,
  anthropicKey: `sk-ant-api03-${random(93, 5)}AA`,
  slackToken: `xoxb-${"123456789012"}-${"123456789013"}-${random(24, 6)}`,
  stripeKey: `sk_live_${random(24, 7)}`,
  npmToken: `npm_${random(36, 8)}`,
  gitlabToken: `glpat-${random(20, 9)}`,
  googleKey: `AIza${random(35, 10)}`,
  jwt: `eyJhbGciOiJIUzI1NiJ9.eyJ${random(30, 11)}.${random(43, 12)}`,
  password: `correct-horse-${random(8, 13)}`,
  databasePassword: `pw${random(12, 14)}`,
  bearer: random(40, 15),
  basic: Buffer.from(`admin:${random(14, 16)}`).toString("base64"),
  privateKey: `-----BEGIN PRIVATE KEY-----\n${random(64, 17)}\n${random(64, 18)}\n-----END PRIVATE KEY-----`,
  sessionCookie: `s%3A${random(32, 19)}`,
  clientSecret: hex(40, 20),
  mysqlPassword: `Sql${random(10, 21)}`,
  known: "plain word that only its owner knows",
} as const;

it("has 20 of them", () => {
  expect(new Set(Object.values(secrets)).size).toBe(20);
});

const input = {
  command: `mysql -u root -p${secrets.mysqlPassword} -e 'select 1'; curl -H 'Authorization: Bearer ${secrets.bearer}' https://x.test`,
  url: `postgres://app:${secrets.databasePassword}@db.test/app`,
  env: {
    AWS_ACCESS_KEY_ID: secrets.awsKeyId,
    AWS_SECRET_ACCESS_KEY: secrets.awsSecret,
    GITHUB_TOKEN: secrets.githubToken,
  },
  headers: [
    { name: "Authorization", value: `Basic ${secrets.basic}` },
    { name: "Cookie", value: `connect.sid=${secrets.sessionCookie}` },
  ],
  password: secrets.password,
  client_secret: secrets.clientSecret,
  note: `my word is ${secrets.known}`,
};
const output = [
  `OPENAI_API_KEY=${secrets.openaiKey}`,
  `anthropic: ${secrets.anthropicKey}`,
  `//registry.npmjs.org/:_authToken=${secrets.npmToken}`,
  secrets.privateKey,
  `token ${secrets.jwt}`,
].join("\n");
const complaint = `401 for ${secrets.slackToken}, ${secrets.stripeKey}; remote https://oauth2:${secrets.gitlabToken}@gitlab.test, key=${secrets.googleKey}, again ${secrets.known}`;

it("0 of 20 secrets in arguments, environment, output and errors are in any file or answer of the store", async () => {
  const state = join(base, "state");
  const store = await openStore({ stateFolder: state, secrets: [secrets.known] });
  const leaks = { description: "Leaks.", input: { type: "object" } } as const;
  const tool = (id: string, permission: "read" | "write" | "execute", run: () => string) =>
    defineTool({ id, permission, ...leaks, run: () => textResult(run()) });
  const gate = await createGate({
    store,
    spill: createFileSpill({ folder: join(base, "toolgate-output-1"), clean: store.redactText }),
    tools: [
      tool("leak.read", "read", () => output),
      tool("leak.write", "write", () => output),
      tool("leak.long", "execute", () => `${output}\n${"long ".repeat(40_000)}${complaint}\n${output}`),
      tool("leak.fail", "write", () => {
        throw new Error(complaint);
      }),
      tool("leak.ask", "write", () => output),
    ],
    policies: [
      { name: "yes", tools: "leak.*", action: "approve" },
      { name: "ask", tools: "leak.ask", action: "ask", priority: 1 },
      {
        name: "no",
        tools: "leak.read",
        action: "deny",
        priority: 1,
        conditions: [{ type: "argument", field: "note", operator: "contains", value: "word" }],
        reason: complaint,
      },
    ],
    enable: { enableAll: true },
    approver: { name: "person", ask: () => ({ decision: "approve", reason: complaint }) },
  });
  for (const name of ["leak.read", "leak.write", "leak.long", "leak.fail", "leak.ask", secrets.githubToken])
    await gate.dispatch({ tool: name, input, sessionId: "s" });
  // Also what is open at this moment is on the disk.
  await store.ledger.open({ ...intent("open"), tool: "leak.write", input });

  const texts = new Map<string, string>();
  const readAll = () => {
    for (const name of readdirSync(base, { recursive: true, encoding: "utf8" }))
      if (statSync(join(base, name)).isFile())
        texts.set(name, `${texts.get(name) ?? ""}${readFileSync(join(base, name), "latin1")}`);
  };
  readAll();
  const answers: string[] = [];
  for await (const line of store.ledger.export()) answers.push(line);
  const { entries } = await store.ledger.query({ kinds: ["intent", "completion", "unknown"] });
  for (const answer of [entries, await store.ledger.stats(), await store.approvals.find("")])
    answers.push(JSON.stringify(answer));
  texts.set("answers", answers.join("\n"));
  await gate.close();
  await store.close();
  readAll();

  const found: string[] = [];
  for (const [file, text] of texts)
    for (const [name, secret] of Object.entries(secrets))
      for (const form of [
        secret,
        JSON.stringify(secret).slice(1, -1),
        ...secret.split("\n").filter((line) => line.length > 40 && !line.startsWith("-----")),
      ])
        if (text.includes(form)) found.push(`${name} in ${file}`);
  expect(found).toEqual([]);
  // The records are there, and say that something was taken out.
  expect(texts.get("answers")).toContain("[redacted:");
  expect([...texts.keys()]).toEqual(
    expect.arrayContaining([join("state", "toolgate.sqlite"), join("state", "toolgate.sqlite-wal")]),
  );
  expect([...texts.keys()].some((name) => name.startsWith("toolgate-output-"))).toBe(true);
});
