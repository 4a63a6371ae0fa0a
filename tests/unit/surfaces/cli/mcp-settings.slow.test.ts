import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/core/input/json.ts";
import { modern } from "../mcp/mcp-world.ts";
import { type Server, useCliWorld } from "./cli-world.ts";

let err: string;
const world = useCliWorld(({ file }) => {
  file("a.txt", "hello\n");
  err = "";
  configure("{ approve_by_elicitation: true }");
});

function configure(mcp: string): void {
  world.file("gate.yaml", `policies: { all: { tools: fs.read, action: ask } }\nmcp: ${mcp}\n`);
}

type Ask = (method: string, params?: JsonObject) => Promise<JsonObject>;
const options = ["--config", "gate.yaml"];
const onErr = (text: string) => {
  err += text;
};
const readFile: JsonObject = { name: "fs_read", arguments: { path: "a.txt" } };
const withForms = (params: JsonObject) => modern(params, { elicitation: { form: {} } });

/** A client of `toolgate mcp` on its pipe. */
async function piped(during: (ask: Ask) => Promise<void>): Promise<void> {
  const input = new PassThrough();
  const waiting = new Map<number, (result: JsonObject) => void>();
  const write = (text: string) => {
    for (const line of text.trimEnd().split("\n")) {
      const { id, result } = JSON.parse(line) as { id: number; result: JsonObject };
      waiting.get(id)?.(result);
    }
  };
  const over = world.run(["mcp", ...options], { pipe: { input, write }, onErr });
  try {
    await during((method, params = {}) => {
      const id = waiting.size;
      const answered = new Promise<JsonObject>((resolve) => waiting.set(id, resolve));
      input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params: withForms(params) })}\n`);
      return answered;
    });
  } finally {
    input.end();
    await over;
  }
}

/** A client of `toolgate serve` whose token may also approve. */
async function served(during: (ask: Ask) => Promise<void>): Promise<void> {
  const run = async ({ url, token }: Server) => {
    await during(async (method, params = {}) => {
      const answer = await fetch(`${url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          ...(typeof params.name === "string" && { "mcp-name": params.name }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: withForms(params) }),
      });
      return ((await answer.json()) as { result: JsonObject }).result;
    });
  };
  await world.serving(`--json ${options.join(" ")}`, run, { onErr });
}

describe.each([
  ["toolgate mcp", piped],
  ["toolgate serve", served],
])("what the configuration says about clients of %s", (_command, running) => {
  const names = async (ask: Ask) =>
    ((await ask("tools/list")).tools as { name: string }[]).map(({ name }) => name);

  it("is in force without a restart: who may approve, and which tools are listed", async () => {
    await running(async (ask) => {
      expect(await names(ask)).toContain("fs_read");
      expect(await ask("tools/call", readFile)).toMatchObject({ resultType: "input_required" });
      configure("{ approve_by_elicitation: false, tools: search }");
      await expect.poll(() => names(ask)).not.toContain("fs_read");
      const waits = ask("tools/call", readFile).then(
        () => "answered",
        () => "ended",
      );
      const late = new Promise((resolve) => setTimeout(resolve, 500, "waits for the desk"));
      expect(await Promise.race([waits, late])).toBe("waits for the desk");
    });
  });

  it("stays as it was when a change cannot be used", async () => {
    await running(async (ask) => {
      await ask("tools/list");
      configure("{ approve_by_elicitation: perhaps }");
      await expect.poll(() => err).toContain("cannot be used");
      expect(await ask("tools/call", readFile)).toMatchObject({ resultType: "input_required" });
    });
  });

  it("needs a restart for permission_prompt, and the log says so", async () => {
    await running(async (ask) => {
      await ask("tools/list");
      configure("{ approve_by_elicitation: true, permission_prompt: true }");
      await expect.poll(() => err).toContain("mcp.permission_prompt counts from the next start on.");
    });
  });
});
