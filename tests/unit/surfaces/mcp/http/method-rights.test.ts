import { afterEach, describe, expect, it } from "vitest";
import { methodNames, methodOf } from "../../../../../src/surfaces/mcp/methods.ts";
import { type Endpoint, modern, openEndpoint } from "./mcp-endpoint.ts";

const reader = { authorization: "Bearer token-read" };
const caller = { authorization: "Bearer token-call" };

describe("the right that a method needs", () => {
  let endpoint: Endpoint;
  afterEach(() => endpoint.server.close());

  /** The methods that are refused to this token, whatever else is wrong with the request. */
  async function refusedTo(token: Record<string, string>): Promise<readonly string[]> {
    const session = { "mcp-session-id": await endpoint.begin(token) };
    const refused: string[] = [];
    for (const name of methodNames) {
      const isOpen = methodOf(name)?.staysOpen === true;
      const ask = methodOf(name)?.era === "modern" ? modern(1, name) : undefined;
      const answer =
        ask === undefined
          ? await endpoint.post({ jsonrpc: "2.0", id: 1, method: name }, { ...token, ...session })
          : await endpoint.post(ask[0], { ...token, ...ask[1] });
      if (answer.status === 403) refused.push(name);
      if (isOpen) await answer.body?.cancel();
      else await answer.text();
    }
    return refused;
  }

  it("is call for all that runs something, and either call or read for the others", async () => {
    endpoint = await openEndpoint();
    expect(await refusedTo(caller)).toEqual([]);
    expect([...(await refusedTo(reader))].sort()).toEqual([
      "completion/complete",
      "prompts/get",
      "resources/read",
      "resources/subscribe",
      "tools/call",
    ]);
  });

  it("depends on what is listened to: upstream servers are told of resources", async () => {
    endpoint = await openEndpoint();
    const listen = async (notifications: object) => {
      const [message, headers] = modern(1, "subscriptions/listen", { notifications });
      const answer = await endpoint.post(message, { ...reader, ...headers });
      await answer.body?.cancel();
      return answer.status;
    };
    expect(await listen({ toolsListChanged: true })).toBe(200);
    expect(await listen({ resourceSubscriptions: ["file:///a"] })).toBe(403);
  });
});
