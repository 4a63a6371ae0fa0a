import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliWorld, createCliWorld } from "./cli-process.ts";
import { type Message, startMcp } from "./mcp-process.ts";

let world: CliWorld;
beforeAll(() => {
  world = createCliWorld();
});
afterAll(() => world.close());

const config = () => join(world.project, "rules.yaml");
const bash = (command: string, id: string) => ({
  name: "permission_prompt",
  arguments: { tool_name: "Bash", input: { command }, tool_use_id: id },
});
const said = ({ result }: Message) => JSON.parse(result?.content?.[0]?.text ?? "{}");

describe("toolgate mcp --permission-prompt", () => {
  it("decides by the rules, else has a person asked in another process; all of it is recorded", async () => {
    writeFileSync(config(), "routes:\n  no-curl: { tool: Bash, pattern: ^curl, message: Use web.fetch. }\n");
    const mcp = startMcp(world, ["--permission-prompt", "--config", config()]);
    await mcp.hello({ elicitation: {} });
    const blocked = said(await mcp.ask(1, "tools/call", bash("curl example.com", "toolu_1")));
    expect(blocked).toMatchObject({ behavior: "deny", message: expect.stringContaining("Use web.fetch.") });

    mcp.send({ id: 2, method: "tools/call", params: bash("make", "toolu_2") });
    let question = "";
    for (; question === ""; await sleep(50))
      question = (await world.run(["approvals", "list", "--ndjson"])).out;
    const { id, reason } = JSON.parse(question);
    expect(reason).toBe("No rule speaks about this call.");
    const edit = JSON.stringify({ command: "make -n" });
    expect((await world.run(["approvals", "approve", id, "--edit", edit])).code).toBe(0);
    const allowed = said(await mcp.next(({ id: answered }) => answered === 2));
    expect(allowed).toEqual({ behavior: "allow", updatedInput: { command: "make -n" } });

    // Rules that change are the rules from then on.
    writeFileSync(config(), "policies:\n  ok: { tools: Bash, action: approve }\n");
    expect(said(await mcp.ask(3, "tools/call", bash("ls", "toolu_3")))).toMatchObject({ behavior: "allow" });
    mcp.child.stdin?.end();
    const { out } = await world.run(["audit", "query", "--oldest", "--ndjson"]);
    const records = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).body);
    expect(records).toMatchObject([
      { toolUseId: "toolu_1", verdict: "deny", kind: "check", surface: "mcp", agent: "claude-code" },
      { toolUseId: "toolu_2", verdict: "allow", approval: { id } },
      { toolUseId: "toolu_3", verdict: "allow", rule: { name: "ok" } },
    ]);
    const shown = await world.run(["audit", "show", "toolu_2"]);
    expect(shown.out).toContain("make -n");
  });

  it("is what a configuration can switch on, and refuses where nobody is waited for", async () => {
    writeFileSync(config(), "mcp: { permission_prompt: true }\n");
    const mcp = startMcp(world, ["--no-wait", "--config", config()]);
    await mcp.hello();
    expect(said(await mcp.ask(1, "tools/call", bash("make", "toolu_4")))).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining("nobody can be asked"),
    });
    mcp.child.stdin?.end();
  });
});
