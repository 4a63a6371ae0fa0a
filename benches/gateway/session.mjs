// What a client does with a server, over any transport: the handshake, the whole list of tools, calls whose answers are checked.

const clientInfo = { name: "toolgate-bench", version: "1.0.0" };

/** `modern`: protocol 2026-07-28, which has no handshake and says everything in each request. */
export async function openSession(transport, { modern = false } = {}) {
  const _meta = modern
    ? {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": clientInfo,
        "io.modelcontextprotocol/clientCapabilities": {},
      }
    : undefined;
  if (!modern) {
    await transport.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    await transport.notify("notifications/initialized");
  }
  let turn = 0;
  return {
    /** All pages. */
    async listTools() {
      const tools = [];
      let cursor;
      do {
        const page = await transport.request("tools/list", {
          ...(cursor && { cursor }),
          ...(_meta && { _meta }),
        });
        tools.push(...page.tools);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return tools;
    },
    /** Another text each time, so that an answer to somebody else's call is seen. */
    async call(name) {
      const text = `text number ${++turn} that is to come back as it was`;
      const params = { name, arguments: { text } };
      const result = await transport.request("tools/call", _meta ? { ...params, _meta } : params);
      if (result.isError === true || !result.content[0].text.includes(text))
        throw new Error(`Wrong answer: ${JSON.stringify(result).slice(0, 400)}`);
    },
  };
}
