/** Routes: a call that has a better way is sent there, by advice or by rewriting it. */
import assert from "node:assert/strict";
import { createGate, defineTool } from "toolgate";
import { z } from "zod";

const fetched: string[] = [];
const fetchPage = defineTool({
  id: "web.fetch",
  description: "Fetches a page.",
  category: "web",
  permission: "read",
  capabilities: ["net:fetch"],
  input: z.object({ url: z.url() }),
  run: ({ url }) => {
    fetched.push(url);
    return `the text of ${url}`;
  },
});

const gate = await createGate({
  tools: [fetchPage],
  enable: { enabledCategories: ["web"] },
  // Using the network asks a person by default; this program reads its own handbook without asking.
  policies: [
    {
      name: "handbook",
      tools: "web.fetch",
      action: "approve",
      conditions: [{ type: "url", operator: "inside", value: "handbook.example" }],
    },
  ],
  routes: [
    {
      name: "github-pr",
      tool: "WebFetch",
      pattern: "^https://github\\.com/([^/]+/[^/]+)/pull/(\\d+)",
      message: "Do not scrape pull request pages: run `gh pr view <number> --repo <owner/name>` instead.",
    },
    {
      name: "https-only",
      tool: "WebFetch",
      pattern: "^http://(.*)$",
      action: "rewrite",
      rewrite: { url: "https://$1" },
    },
    {
      name: "read-with-read",
      tool: "Bash",
      pattern: "^\\s*(cat|head|tail)\\s+[^|;&<>]+$",
      message: "Read files with the read tool: it numbers lines and reads in parts.",
    },
  ],
});

// The route is written for `WebFetch`, the name one agent uses; it holds for `web.fetch` and every other alias.
const scrape = await gate.dispatch({
  tool: "web.fetch",
  input: { url: "https://github.com/nodejs/node/pull/1" },
});
assert.ok(!scrape.ok);
console.log(`blocked by route "${scrape.error.rule?.name}": ${scrape.error.message}`);
assert.equal(scrape.error.code, "route_blocked");
assert.deepEqual(fetched, []);

// A rewrite changes the input before anything is decided, so what is judged is what runs.
const page = await gate.dispatch({
  tool: "web.fetch",
  input: { url: "http://handbook.example/leave" },
});
assert.ok(page.ok);
console.log(`rewritten to ${fetched[0]}`);
assert.deepEqual(fetched, ["https://handbook.example/leave"]);

// An agent that runs its own shell asks first. We have no tool called `Bash`; rules about it hold all the same.
const cat = await gate.check({ tool: "Bash", input: { command: "cat README.md" } });
console.log(`cat README.md: ${cat.verdict}: ${cat.message}`);
assert.equal(cat.verdict, "deny");
assert.equal(cat.rule?.name, "read-with-read");

// Where no rule speaks the gate abstains, and the agent's own prompts apply.
const build = await gate.check({ tool: "Bash", input: { command: "npm run build" } });
console.log(`npm run build: ${build.verdict}`);
assert.equal(build.verdict, "abstain");

// Why? `explain` shows every stage's finding and runs nothing.
const why = await gate.explain({ tool: "web_fetch", input: { url: "http://handbook.example/leave" } });
for (const { stage, finding } of why.walk) console.log(`  ${stage.padEnd(12)} ${finding}`);
assert.equal(why.verdict, "allow");
assert.equal(fetched.length, 1);

await gate.close();
