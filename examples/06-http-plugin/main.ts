/** Tools that are HTTP requests: arguments in path, query and body, a key from the environment, and no way to private addresses unless the file says so. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGate, createPlugins } from "toolgate";

// A service to talk to: it tells what it was asked.
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const { authorization = "no key" } = request.headers;
  response.end(`${request.method} ${request.url} ${authorization} ${body}`.trim());
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}`;

const folder = mkdtempSync(join(tmpdir(), "toolgate-example-"));
const template = readFileSync(join(import.meta.dirname, "tools/health.yaml"), "utf8").replace(
  "8080",
  `${port}`,
);
writeFileSync(join(folder, "health.yaml"), template);

const gate = await createGate({
  policies: [{ name: "this-service", tools: ["check_health", "add_note"], action: "approve" }],
});
const plugins = await createPlugins(gate, {
  folders: [folder],
  env: { EXAMPLE_TOKEN: "t0ken-of-this-example" },
});
assert.deepEqual(plugins.report.errors, []);

async function call(tool: string, input: object): Promise<string> {
  const outcome = await gate.dispatch({ tool, input });
  const [block] = outcome.result.content;
  const told = outcome.ok
    ? block?.type === "text"
      ? block.text
      : ""
    : `${outcome.error.code}: ${outcome.error.message}`;
  console.log(`   ${tool} ${JSON.stringify(input)}\n      -> ${told.split("\n").join("\n         ")}`);
  return told;
}

console.log("1. A URL of the caller's, and the rest of it from the file");
assert.match(await call("check_health", { url }), /GET \/health no key/);
assert.match(await call("check_health", { url: "file:///etc/passwd" }), /^invalid_input: /);

console.log(
  "2. What stands in the path is encoded; what is left over is the JSON body; the key comes from the environment",
);
const noted = await call("add_note", { list: "a/b?c", text: "milk" });
assert.match(noted, /POST \/lists\/a%2Fb%3Fc\/notes/);
assert.match(noted, /\{"text":"milk"\}/);
// The service sent the key back; what a model reads does not have it.
assert.doesNotMatch(noted, /t0ken-of-this-example/);

console.log("3. Without allowPrivate this machine is out of reach");
writeFileSync(join(folder, "health.yaml"), template.replace("allowPrivate: true", "allowPrivate: false"));
await plugins.reload();
assert.match(await call("check_health", { url }), /loopback/);

await plugins.close();
await gate.close();
server.close();
rmSync(folder, { recursive: true });
