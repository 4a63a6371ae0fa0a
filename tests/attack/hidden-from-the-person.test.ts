import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redactText } from "../../src/safe/redact/redact.ts";
import type { ApprovalPreview } from "../../src/surfaces/rest/contract.ts";
import { allRoutes } from "../../src/surfaces/serve/all-routes.ts";
import { startTestServer, type TestServer } from "../http-server.ts";
import { approvalRequest } from "../unit/stores/sqlite/approval-request.ts";
import { createApi } from "../unit/surfaces/http/api.ts";

let server: TestServer;
let project: string;
beforeAll(async () => {
  server = await startTestServer({ routes: allRoutes });
  project = join(server.folder, "project");
  mkdirSync(project);
});
afterAll(() => server.close());

let asked = 0;

/** What a person is shown of a question about this line. */
async function shown(command: string): Promise<ApprovalPreview["call"]> {
  const id = `${"h".repeat(8)}${++asked}`;
  await server.parts.store.approvals.open(
    approvalRequest(id, { toolId: "shell.exec", input: { command }, project, sessionId: id }),
  );
  const person = { token: "token-read-approve" };
  return (await createApi(server).get<ApprovalPreview>(`/api/approvals/${id}/preview`, person)).body.call;
}

describe("what a line would run is shown, though it stands where a secret could", () => {
  it.each([
    'export API_TOKEN="$(touch pwned)"; true',
    "API_TOKEN=$(touch pwned) true",
    'curl -H "Authorization: Bearer $(touch pwned)" localhost',
    'export PASSWORD="abc$(touch pwned)"',
    "secret=abcdef&&touch pwned",
    "password=abcdef||touch pwned",
    "bash -c 'secret=abcdef&&touch pwned'",
  ])("%s", async (line) => {
    const { shell } = await shown(line);
    expect(shell?.line).toContain("touch pwned");
    expect(shell?.commands.map(({ text }) => text)).toContain("touch pwned");
  });
});

it.each([
  "password=x;touch$IFS/pwned",
  "secret=abcdef|touch$IFS/pwned",
  "echo Cookie: a=1; touch pwned",
  'x="-----BEGIN PRIVATE KEY-----$(touch pwned)-----END PRIVATE KEY-----"',
  "PASSWORD=`touch pwned` true",
])("a line of which something is not shown is never called harmless: %s", async (line) => {
  const { danger, why, shell } = await shown(line);
  if (shell?.line.includes("[redacted:") === true) expect(why).toContain("a part of it is not shown");
  expect(danger).toBe("high");
});

it.each([
  ["PASSWORD='hunter2$x;y|z' npm test", "hunter2"],
  ['export TOKEN="abcdef123456" && npm test', "abcdef123456"],
  ["curl -d 'password=hunter2&&x'", "hunter2"],
])("what is a secret is still taken out: %s", (line, secret) => {
  expect(redactText(line)).not.toContain(secret);
});
