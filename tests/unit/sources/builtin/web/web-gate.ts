/** A real gate with the web tools, and a real server on this machine for them to reach. */
import type { RequestListener } from "node:http";
import { onTestFinished } from "vitest";
import { textOf } from "../../../../../src/core/call/content.ts";
import { createGate, type GateOptions } from "../../../../../src/index.ts";
import type { WebOptions } from "../../../../../src/sources/builtin/web/options.ts";
import { createWebTools } from "../../../../../src/sources/builtin/web/web-tools.ts";
import { serveHttp } from "../../../safe/net/safe-fetch-servers.ts";
import { rule } from "../../rule.ts";
import { callsOf } from "../calls.ts";

export const enableWeb: GateOptions = {
  enable: { enabledCategories: ["web"] },
  policies: [rule("approve", "web.*")],
};

export async function webGate(
  options: WebOptions = { allowPrivate: true },
  gateOptions: GateOptions = enableWeb,
) {
  const { tools, close } = createWebTools(options);
  const gate = await createGate({ tools, ...gateOptions });
  onTestFinished(async () => {
    await gate.close();
    await close();
  });
  const { call: dispatch, ...calls } = callsOf(gate);
  return {
    gate,
    dispatch,
    ...calls,
    /** A call that must succeed: its text and its data. */
    async answer(tool: string, input: unknown) {
      const outcome = await dispatch(tool, input);
      if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
      return { text: textOf(outcome.result), data: outcome.value as Record<string, unknown> };
    },
  };
}

/** The address of a server that answers so. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = await serveHttp(listener);
  onTestFinished(() => server.close());
  return `http://127.0.0.1:${server.port}`;
}

export type Page = readonly [
  contentType: string,
  body: string | Buffer,
  status?: number,
  headers?: Record<string, string>,
];

export function servePages(pages: Readonly<Record<string, Page>>): Promise<string> {
  return serve((request, response) => {
    const [type, body, status = 200, headers = {}] = pages[request.url ?? ""] ?? [
      "text/plain",
      "no such page",
      404,
    ];
    response.writeHead(status, { ...(type !== "" && { "content-type": type }), ...headers }).end(body);
  });
}
