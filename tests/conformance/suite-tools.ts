/** The tools that the official suite expects of a server, under the names it calls them by. */
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../src/core/input/json.ts";
import type { ToolContext } from "../../src/core/tool/tool.ts";
import { type AnyTool, defineTool, toolResult } from "../../src/index.ts";

/** A red dot. */
export const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** Silence. */
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

interface Changes {
  /** Adds a tool and takes it away again. */
  tools(): void;
  /** Says that the prompts are others now. */
  prompts(): void;
}

export function suiteTools(changes: Changes): readonly AnyTool[] {
  return [
    tool("test_simple_text", () => "This is a simple text response for testing."),
    tool("test_image_content", () => content({ type: "image", data: png, mimeType: "image/png" })),
    tool("test_audio_content", () => content({ type: "audio", data: wav, mimeType: "audio/wav" })),
    tool("test_embedded_resource", () => content(embedded("test://embedded-resource"))),
    tool("test_multiple_content_types", () =>
      content(
        { type: "text", text: "Multiple content types test:" },
        { type: "image", data: png, mimeType: "image/png" },
        embedded("test://mixed-content-resource"),
      ),
    ),
    tool("test_error_handling", () => {
      throw new Error("This tool intentionally returns an error for testing");
    }),
    tool("test_tool_with_progress", async (_input, { progress }) => {
      for (const done of [0, 50, 100]) {
        progress({ done, total: 100 });
        await sleep(50);
      }
      return "done";
    }),
    // Longer than a stream of this world is held: the client has to come back for the answer.
    tool("test_reconnection", async (_input, { progress }) => {
      progress({ done: 1, total: 2 });
      await sleep(600);
      return "Reconnection test completed";
    }),
    tool("test_logging_tool", () => "nothing was logged"),
    tool("test_trigger_tool_change", () => {
      changes.tools();
      return "changed";
    }),
    tool("test_trigger_prompt_change", () => {
      changes.prompts();
      return "changed";
    }),
    tool("json_schema_2020_12_tool", () => "ok", newestSchema),
    tool("test_headers", ({ region }) => `region ${region}`, {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
      additionalProperties: false,
    }),
    ...askingTools,
  ];
}

const askingTools: readonly AnyTool[] = [
  tool(
    "test_elicitation",
    ({ message }, context) => ask(context, String(message), text("username", "email")),
    text("message"),
  ),
  tool("test_elicitation_sep1034_defaults", (_input, context) =>
    ask(context, "Please review and update the form fields with defaults", {
      type: "object",
      properties: {
        name: { type: "string", description: "User name", default: "John Doe" },
        age: { type: "integer", description: "User age", default: 30 },
        score: { type: "number", description: "User score", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", description: "Verification status", default: true },
      },
      required: [],
    }),
  ),
  tool("test_elicitation_sep1330_enums", (_input, context) =>
    ask(context, "Please select options from the enum fields", {
      type: "object",
      properties: {
        untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
        titledSingle: { type: "string", oneOf: titled("Option") },
        legacyEnum: {
          type: "string",
          enum: ["opt1", "opt2", "opt3"],
          enumNames: ["Option One", "Option Two", "Option Three"],
        },
        untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
        titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
      },
      required: [],
    }),
  ),
  tool("test_streaming_elicitation", (_input, context) => ask(context, "Go on?", text("answer"))),
  tool("test_input_required_result_elicitation", (_input, context) =>
    ask(context, "What is your name?", text("name"), { before: "Hello, ", key: "user_name" }),
  ),
  tool("test_input_required_result_request_state", (_input, context) =>
    ask(context, "Please confirm", flag("ok"), { before: "state-ok " }),
  ),
  tool("test_input_required_result_tampered_state", (_input, context) =>
    ask(context, "Please confirm", flag("ok"), { before: "state-ok " }),
  ),
  tool("test_input_required_result_multi_round", async (_input, context) => {
    const name = await ask(context, "Step 1: What is your name?", text("name"));
    const color = await ask(context, "Step 2: What is your favorite color?", text("color"));
    return `${name} ${color}`;
  }),
];

/** Comes and goes. */
export const addedTool = tool("test_added", () => "here");

function tool(
  id: string,
  run: (input: Record<string, unknown>, context: ToolContext) => unknown,
  input: object = { type: "object", properties: {}, additionalProperties: false },
): AnyTool {
  return defineTool({
    id,
    description: `The tool ${id} of the conformance suite.`,
    permission: "read",
    input: input as { type: "object" },
    run: (given, context) => run(given as Record<string, unknown>, context),
  });
}

async function ask(
  context: ToolContext,
  message: string,
  schema: object,
  { before = "", key }: { readonly before?: string; readonly key?: string } = {},
): Promise<string> {
  if (context.elicit === undefined) throw new Error("The client cannot be asked.");
  const { signal } = context;
  const question = { from: "suite", params: { message, requestedSchema: schema as JsonObject }, key };
  const { action, content: filledIn } = await context.elicit(question, { signal });
  return `${before}${action} ${JSON.stringify(filledIn)}`;
}

function content(...blocks: Parameters<typeof toolResult>[0]["content"]) {
  return toolResult({ content: blocks });
}

function embedded(uri: string) {
  const resource = { uri, mimeType: "text/plain", text: "This is an embedded resource content." };
  return { type: "resource", resource } as const;
}

function text(...names: readonly string[]): object {
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  return { type: "object", properties, required: names };
}

function flag(name: string): object {
  return { type: "object", properties: { [name]: { type: "boolean" } }, required: [name] };
}

function titled(word: string): readonly object[] {
  return ["First", "Second", "Third"].map((nth, index) => ({
    const: `value${index + 1}`,
    title: `${nth} ${word}`,
  }));
}

const newestSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};
