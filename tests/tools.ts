/** Small tools that many tests use. */
import { z } from "zod";
import { defineTool } from "../src/index.ts";

export const add = defineTool({
  id: "math.add",
  description: "Adds two numbers.",
  permission: "read",
  input: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
    additionalProperties: false,
  },
  run: ({ a, b }) => a + b,
});

export const read = defineTool({
  id: "notes.read",
  description: "Reads a note.",
  permission: "read",
  capabilities: ["fs:read"],
  input: z.object({ path: z.string() }),
  run: ({ path }) => `text of ${path}`,
});

export const write = defineTool({
  id: "notes.write",
  description: "Writes a note.",
  permission: "write",
  capabilities: ["fs:write"],
  input: z.object({ path: z.string(), content: z.string().default("") }),
  run: ({ path, content }) => `wrote ${content.length} to ${path}`,
});

/** A tool that waits until the test lets it go. */
export function createGatedTool(id = "slow.wait", permission: "read" | "write" = "read") {
  const started: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  const tool = defineTool({
    id,
    description: "Waits.",
    permission,
    input: z.object({}),
    timeoutMs: 5_000,
    run: (_, { signal }) => {
      signals.push(signal);
      return new Promise<string>((resolve) => started.push(() => resolve("done")));
    },
  });
  return { tool, started, signals };
}
