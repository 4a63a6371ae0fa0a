/** Ways to an upstream server that are no calls of its tools: prompts, resources, completions, subscriptions. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/input/json.ts";
import type { Opened } from "../unit/sources/upstream/upstream-world.ts";
import { connect, connectLegacy, modern } from "../unit/surfaces/mcp/mcp-world.ts";
import { scripted, serve, useUpstreams } from "./upstream-programs.ts";

const agent = { id: "agent", capabilities: ["mcp:open"] };
const held = useUpstreams();

let opened: Opened;
let server: ReturnType<typeof serve>["server"];

beforeEach(async () => {
  const entry = (name: string) => held.world.entry(name, { transport: scripted });
  opened = await held.world.open([entry("closed"), entry("open")]);
  ({ server } = serve(opened));
});
afterEach(() => server.close());

const completion = (name: string) => ({
  ref: { type: "ref/prompt", name },
  argument: { name: "who", value: "A" },
});

describe("a token without the capability of a server", () => {
  it("sees none of its prompts and resources, and gets none", async () => {
    const client = await connectLegacy(server, {}, { caller: agent });
    const { prompts } = (await client.ask("prompts/list")).result;
    expect(prompts).toMatchObject([{ name: "open__greet" }]);
    expect((await client.ask("resources/list")).result.resources).toMatchObject([
      { uri: "toolgate://tools" },
      { uri: "toolgate://rules" },
      { uri: "note://a" },
      { uri: "note://b" },
    ]);
    const args = { who: "me" };
    const got = await client.ask("prompts/get", { name: "open__greet", arguments: args });
    expect(got.result.messages).toMatchObject([{ content: { text: "greet me" } }]);
    expect(await client.ask("prompts/get", { name: "closed__greet", arguments: args })).toHaveProperty(
      "error",
    );
    // Its owner is the first that lists it.
    expect(await client.ask("resources/read", { uri: "note://a" })).toHaveProperty("error");
  });

  it("gets none by the tools that read them either", async () => {
    const call = (tool: string, input: object) => opened.gate.dispatch({ tool, input, caller: agent });
    expect(
      (await call("mcp.prompt_get", { server: "open", name: "greet", arguments: { who: "me" } })).ok,
    ).toBe(true);
    for (const [tool, input] of [
      ["mcp.prompt_get", { server: "closed", name: "greet", arguments: { who: "me" } }],
      ["mcp.resource_read", { server: "closed", uri: "note://a" }],
      ["mcp.resource_list", { server: "closed" }],
      ["mcp.prompt_list", { server: "closed" }],
    ] as const) {
      const { result } = await call(tool, input);
      expect(result.isError).toBe(true);
      expect(JSON.stringify(result.content)).toContain("There is no server");
    }
    for (const tool of ["mcp.resource_list", "mcp.prompt_list"])
      expect(JSON.stringify((await call(tool, {})).result)).not.toContain("closed");
  });

  it("completes nothing there, and watches nothing", async () => {
    const client = await connectLegacy(server, {}, { caller: agent });
    await client.ask("resources/list");
    const values = async (name: string) =>
      ((await client.ask("completion/complete", completion(name))).result.completion as { values: unknown })
        .values;
    expect(await values("open__greet")).toEqual(["A!"]);
    expect(await values("closed__greet")).toEqual([]);
    expect(await client.ask("resources/subscribe", { uri: "note://a" })).toHaveProperty("error");
    const whole = await connectLegacy(server);
    expect(await whole.ask("resources/subscribe", { uri: "note://a" })).toHaveProperty("result");
  });
});

describe("what is typed on the way to a request", () => {
  const ask = async (argument: JsonObject, context?: JsonObject) => {
    const client = await connectLegacy(server);
    const params = {
      ref: { type: "ref/prompt", name: "open__greet" },
      argument,
      ...(context && { context }),
    };
    const answer = await client.ask("completion/complete", params);
    if (Object.hasOwn(answer, "error")) return "refused";
    return (answer.result.completion as { values: string[] }).values;
  };

  it("is judged with its value and with what was filled in before", async () => {
    await opened.gate.setRules({
      policies: [
        { name: "all", tools: "*", action: "approve" },
        {
          name: "no-secrets",
          tools: "mcp.prompt_get",
          action: "deny",
          conditions: [{ type: "path", operator: "matches", value: "secret" }],
        },
      ],
    });
    expect(await ask({ name: "who", value: "A" })).toEqual(["A!"]);
    expect(await ask({ name: "path", value: "notes/a" })).toEqual(["notes/a!"]);
    expect(await ask({ name: "path", value: "secret/a" })).toEqual([]);
    expect(await ask({ name: "path", value: ".env" })).toEqual([]);
    expect(await ask({ name: "who", value: "A" }, { arguments: { path: "secret/a" } })).toEqual([]);
    expect(await ask({ name: "who", value: "A" }, { arguments: { path: "notes/a" } })).toEqual(["A!"]);
    expect(await ask({ name: "who", value: "A" }, { arguments: { path: { deep: "secret" } } })).toBe(
      "refused",
    );
    expect(await ask({ name: "who", value: "A" }, { other: "secret/a" })).toBe("refused");
  });
});

it("a rule that denies also stops what is typed on the way to the request it denies, and the watch over what may not be read", async () => {
  await opened.gate.setRules({
    policies: [
      { name: "all", tools: "*", action: "approve" },
      { name: "no-prompts", tools: "mcp.prompt_get", action: "deny" },
      { name: "no-reading", tools: "mcp.resource_read", action: "deny" },
    ],
  });
  const client = await connectLegacy(server);
  await client.ask("resources/list");
  const completed = await client.ask("completion/complete", completion("open__greet"));
  expect(completed.result.completion).toMatchObject({ values: [] });
  expect(await client.ask("resources/subscribe", { uri: "note://a" })).toHaveProperty("error");
  const newer = connect(server);
  newer.send("subscriptions/listen", modern({ notifications: { resourceSubscriptions: ["note://a"] } }));
  const { params } = await newer.next(({ method }) => method === "notifications/subscriptions/acknowledged");
  expect(params).toMatchObject({ notifications: {} });
  expect(params).not.toHaveProperty("notifications.resourceSubscriptions");
});
