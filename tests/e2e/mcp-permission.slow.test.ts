import { describe, expect, it } from "vitest";
import { says } from "../unit/surfaces/cli/expect-end.ts";
import { type Message, startMcp } from "./mcp-process.ts";
import { useCliWorld } from "./use-cli-world.ts";

const world = useCliWorld();
const rules = (text: string) => world.file("rules.yaml", text);
const bash = (command: string, id: string) => ({
  name: "permission_prompt",
  arguments: { tool_name: "Bash", input: { command }, tool_use_id: id },
});
const said = ({ result }: Message) => JSON.parse(result?.content?.[0]?.text ?? "{}");

describe("toolgate mcp --permission-prompt", () => {
  it("decides by the rules, else has a person asked in another process; all of it is recorded", async () => {
    const config = rules("routes:\n  no-curl: { tool: Bash, pattern: ^curl, message: Use web.fetch. }\n");
    const mcp = startMcp(world, ["--permission-prompt", "--config", config]);
    await mcp.hello({ elicitation: {} });
    const blocked = said(await mcp.ask(1, "tools/call", bash("curl example.com", "toolu_1")));
    expect(blocked).toMatchObject({ behavior: "deny", message: expect.stringContaining("Use web.fetch.") });

    mcp.send({ id: 2, method: "tools/call", params: bash("make", "toolu_2") });
    const waiting = async () => (await world.run(["approvals", "list", "--ndjson"])).out;
    await expect.poll(waiting).not.toBe("");
    const { id, reason } = JSON.parse(await waiting());
    expect(reason).toBe("No rule speaks about this call.");
    const edit = JSON.stringify({ command: "make -n" });
    expect((await world.run(["approvals", "approve", id, "--edit", edit])).code).toBe(0);
    const allowed = said(await mcp.next(({ id: answered }) => answered === 2));
    expect(allowed).toEqual({ behavior: "allow", updatedInput: { command: "make -n" } });

    // Rules that change are the rules from then on.
    rules("policies:\n  ok: { tools: Bash, action: approve }\n");
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
    await says(world.run(["audit", "show", "toolu_2"]), "make -n");
  });

  it("is what a configuration can switch on, and refuses where nobody is waited for", async () => {
    const mcp = startMcp(world, ["--no-wait", "--config", rules("mcp: { permission_prompt: true }\n")]);
    await mcp.hello();
    expect(said(await mcp.ask(1, "tools/call", bash("make", "toolu_4")))).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining("nobody can be asked"),
    });
    mcp.child.stdin?.end();
  });
});
