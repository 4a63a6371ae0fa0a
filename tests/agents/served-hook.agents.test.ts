/** The real client with a running `toolgate serve`: through the script that install puts in, and through hooks of its own over HTTP. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Served, serve } from "./serve.ts";
import { bash, callOnce, describeClaudeCode } from "./session.ts";
import { createWorkbench, type Workbench } from "./workbench.ts";

const rules = `
hooks: { ask: queue }
routes:
  no-ran: { tool: Bash, pattern: "forbidden", message: "Not like this." }
policies:
  ask-first: { tools: Write, action: ask, reason: Ann decides. }
`;
const forbidden = bash(`python3 -c 'open("ran.txt","w")' forbidden`);
const asked = { tool: "Write", input: { file_path: "ran.txt", content: "x" } };
const free = bash(`python3 -c 'open("ran.txt","w")'`);
const withoutPlugin = { plugin: false, allow: ["Bash"] } as const;

function serveRules(bench: Workbench): Promise<Served> {
  bench.writeRules(rules);
  return serve(bench);
}

/** Installed, with a node that cannot be started: only the server can have answered. */
async function installForServerAlone(bench: Workbench): Promise<void> {
  await install(bench);
  bench.write(
    ".claude/settings.json",
    bench.read(".claude/settings.json").replaceAll(process.execPath, "/no/node"),
  );
}

async function install(bench: Workbench): Promise<void> {
  expect((await bench.toolgate(["install", "claude-code"])).code).toBe(0);
  expect(bench.read(".claude/settings.json")).toContain("hook.sh");
}

describeClaudeCode("the hook that install puts in, while toolgate serve runs", () => {
  it("blocks what a rule forbids, and lets the rest run", async () => {
    const bench = createWorkbench();
    await serveRules(bench);
    await installForServerAlone(bench);
    const blocked = await callOnce(bench, forbidden, withoutPlugin);
    expect(blocked.isError).toBe(true);
    expect(blocked.text).toContain("Not like this.");
    expect(bench.has("project/ran.txt")).toBe(false);
    expect((await callOnce(bench, free, withoutPlugin)).isError).toBe(false);
    expect(bench.has("project/ran.txt")).toBe(true);
  });

  it("waits while another process is asked, and the call runs when it says yes, though the client would have asked", async () => {
    const bench = createWorkbench();
    const server = await serveRules(bench);
    await installForServerAlone(bench);
    const call = callOnce(
      bench,
      { ...asked, input: { ...asked.input, file_path: bench.path("project/ran.txt") } },
      { plugin: false },
    );
    for (let id: string | undefined; id === undefined; await sleep(100)) {
      const { approvals } = (await server.ask("/api/approvals")) as { approvals: { id: string }[] };
      id = approvals[0]?.id;
      if (id !== undefined)
        expect(await server.ask(`/api/approvals/${id}/answer`, { decision: "approve" })).toMatchObject({
          by: "owner",
        });
    }
    expect((await call).isError).toBe(false);
    expect(bench.has("project/ran.txt")).toBe(true);
  });

  it("finds nothing wrong with it: doctor tries both ways", async () => {
    const bench = createWorkbench();
    await serveRules(bench);
    await install(bench);
    const { code, stdout } = await bench.toolgate(["doctor"]);
    expect(stdout).toContain("The server that runs answers the hook");
    expect(code).toBe(0);
  });
});

function httpHooks(url: string, more: object): object {
  return {
    hooks: {
      PreToolUse: [
        {
          matcher: "*",
          hooks: [
            {
              type: "http",
              url: `${url}/api/hook/claude-code`,
              headers: { Authorization: "Bearer $TOOLGATE_TOKEN" },
              allowedEnvVars: ["TOOLGATE_TOKEN"],
              timeout: 30,
              ...more,
            },
          ],
        },
      ],
    },
  };
}

describeClaudeCode("a hook of the client over HTTP", () => {
  it("blocks what a rule forbids, lets the rest run, and blocks everything when the server is down", async () => {
    const bench = createWorkbench();
    const server = await serveRules(bench);
    const env = { TOOLGATE_TOKEN: server.token };
    bench.write(".claude/settings.json", httpHooks(server.url, { onFailure: "block" }));
    const blocked = await callOnce(bench, forbidden, { ...withoutPlugin, env });
    expect(blocked.text).toContain("Not like this.");
    expect([blocked.isError, bench.has("project/ran.txt")]).toEqual([true, false]);
    expect((await callOnce(bench, free, { ...withoutPlugin, env })).isError).toBe(false);
    bench.remove("project/ran.txt");
    await server.kill();
    const down = await callOnce(bench, free, { ...withoutPlugin, env });
    expect(down.text).toContain('onFailure is "block"');
    expect([down.isError, bench.has("project/ran.txt")]).toEqual([true, false]);
  });

  it("without onFailure lets everything run when the server is down, or refuses the token", async () => {
    const bench = createWorkbench();
    const server = await serveRules(bench);
    bench.write(".claude/settings.json", httpHooks(server.url, {}));
    const refused = await callOnce(bench, forbidden, { ...withoutPlugin, env: { TOOLGATE_TOKEN: "wrong" } });
    expect(refused.session.notices).toContain("gave no usable answer");
    expect([refused.isError, bench.has("project/ran.txt")]).toEqual([false, true]);
    bench.remove("project/ran.txt");
    await server.kill();
    const down = await callOnce(bench, forbidden, {
      ...withoutPlugin,
      env: { TOOLGATE_TOKEN: server.token },
    });
    expect([down.isError, bench.has("project/ran.txt")]).toEqual([false, true]);
  });
});
