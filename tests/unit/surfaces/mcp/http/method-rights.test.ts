import { describe, expect, it, onTestFinished } from "vitest";
import { methodNames, methodOf } from "../../../../../src/surfaces/mcp/methods.ts";
import { type Endpoint, modern, openEndpoint } from "./mcp-endpoint.ts";

describe("the right that a method needs", () => {
  /** The methods that are refused to this token, whatever else is wrong with the request. */
  async function refusedTo(endpoint: Endpoint, name: string): Promise<readonly string[]> {
    const token = { authorization: `Bearer ${name}` };
    const session = { "mcp-session-id": await endpoint.begin(token) };
    const refused: string[] = [];
    for (const method of methodNames) {
      const isOpen = methodOf(method)?.staysOpen === true;
      const ask = methodOf(method)?.era === "modern" ? modern(1, method) : undefined;
      const answer =
        ask === undefined
          ? await endpoint.post({ jsonrpc: "2.0", id: 1, method }, { ...token, ...session })
          : await endpoint.post(ask[0], { ...token, ...ask[1] });
      if (answer.status === 403) refused.push(method);
      if (isOpen) await answer.body?.cancel();
      else await answer.text();
    }
    return refused;
  }

  it("is call for all that runs something, and either call or read for the others", async () => {
    const endpoint = await openEndpoint();
    onTestFinished(() => void endpoint.server.close());
    expect(await refusedTo(endpoint, "token-call")).toEqual([]);
    expect([...(await refusedTo(endpoint, "token-read"))].sort()).toEqual([
      "completion/complete",
      "prompts/get",
      "resources/read",
      "resources/subscribe",
      "tools/call",
    ]);
  });
});
