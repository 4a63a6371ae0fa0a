/** The first plugin file of a new author: a tool of one kind that works, with tests that pass. */
import type { JsonObject } from "../../core/input/json.ts";
import type { PluginFile, PluginHandler, PluginToolDefinition } from "./plugin-format.ts";

export const starterTypes = ["shell", "http", "file-read"] as const;

export type StarterType = (typeof starterTypes)[number];

export interface StarterRequest {
  readonly name: string;
  readonly type: StarterType;
  /** What the file will be called. */
  readonly fileName: string;
  /** Where editors find the format. */
  readonly schema: string;
}

export function starterPlugin({ name, type, fileName, schema }: StarterRequest): string {
  const tool = { shell, http, "file-read": fileRead }[type](name, fileName);
  const plugin: PluginFile & { readonly $schema: string } = {
    $schema: schema,
    name,
    version: "1.0.0",
    tools: [tool],
  };
  return `${JSON.stringify(plugin, undefined, 2)}\n`;
}

/** An input of one field, which must be given. */
function takes(name: string, field: JsonObject): JsonObject {
  return { type: "object", properties: { [name]: field }, required: [name], additionalProperties: false };
}

type Made = PluginToolDefinition & { readonly handler: PluginHandler };

function shell(name: string): Made {
  return {
    name,
    description: "Counts the lines of a file. Say here what your tool does and when to use it.",
    inputSchema: takes("path", { type: "string", description: "The file, relative to the working folder." }),
    handler: { type: "shell", command: "wc -l {{path}}", timeout: 10_000 },
    tests: [
      { desc: "an empty file has no lines", input: { path: "/dev/null" }, contains: "0 /dev/null" },
      {
        desc: "a file that is not there is an error",
        input: { path: "no-such-file" },
        error: "no-such-file",
      },
    ],
  };
}

function http(name: string): Made {
  return {
    name,
    description: "Looks up a package in the npm registry. Say here what your tool does and when to use it.",
    inputSchema: takes("package", { type: "string", minLength: 1, description: "The package's name." }),
    handler: { type: "http", method: "GET", url: "https://registry.npmjs.org/{{package}}/latest" },
    tests: [{ desc: "it needs a package", input: {}, error: "package" }],
  };
}

function fileRead(name: string, fileName: string): Made {
  return {
    name,
    description: "Reads a file of this folder. Say here what your tool does and when to use it.",
    inputSchema: takes("path", { type: "string", description: "The file, relative to the folder." }),
    handler: { type: "file-read", basePath: ".", maxSize: 262_144 },
    tests: [
      { desc: "it reads this very file", input: { path: fileName }, contains: "it reads this very file" },
      { desc: "it does not leave its folder", input: { path: "../outside" }, error: "outside" },
    ],
  };
}
