/** An upstream server with the resources and prompts that the official suite expects, without a process. */
import type { UpstreamChange, Upstreams } from "../../src/core/ports/upstream.ts";
import { png } from "./suite-tools.ts";

/** Of which server they are, for the gate. */
export const suiteServer = "suite";

export interface SuiteUpstream {
  readonly upstreams: Upstreams;
  change(what: "tools" | "prompts"): void;
}

export function createSuiteUpstream(): SuiteUpstream {
  const listeners = new Set<(change: UpstreamChange) => void>();
  const server = suiteServer;
  const upstreams: Upstreams = {
    status: () => [
      {
        server,
        transport: "stdio",
        state: "ready",
        tools: 0,
        pending: [],
        refused: [],
        misnamed: [],
        calls: 0,
        running: 0,
        capabilities: {
          resources: { subscribe: true, listChanged: true },
          prompts: { listChanged: true },
          completions: {},
        },
      },
    ],
    listResources: async () => ({ resources }),
    listResourceTemplates: async () => ({
      resourceTemplates: [
        {
          server,
          uriTemplate: "test://template/{id}/data",
          name: "Template",
          description: "By id.",
          mimeType: "application/json",
        },
      ],
    }),
    async readResource({ uri }) {
      const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
      if (id !== undefined) {
        const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
        return { contents: [{ uri, mimeType: "application/json", text: data }] };
      }
      const known = resources.find((one) => one.uri === uri);
      if (known === undefined) throw new Error(`${server} has no resource ${uri}.`);
      if (known.mimeType === "image/png") return { contents: [{ uri, mimeType: "image/png", blob: png }] };
      return {
        contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }],
      };
    },
    listPrompts: async () => ({ prompts }),
    async getPrompt({ name, arguments: given = {} }) {
      const messages = messagesOf(name, given);
      if (messages === undefined) throw new Error(`${server} has no prompt ${name}.`);
      return { messages: messages.map((content) => ({ role: "user" as const, content })) };
    },
    complete: async ({ argument }) => ({ values: [`${argument.value}-1`, `${argument.value}-2`], total: 2 }),
    subscribe: async () => {},
    unsubscribe: async () => {},
    serverOf: (uri) =>
      /^test:\/\/(?:static-|watched-|template\/[^/]+\/data$)/.test(uri) ? server : undefined,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    restart: async () => {
      throw new Error("It has no process.");
    },
  };
  return {
    upstreams,
    change(what) {
      for (const listener of listeners) listener({ server, what });
    },
  };
}

const server = suiteServer;
const resources = [
  {
    server,
    uri: "test://static-text",
    name: "Static text",
    description: "A static text.",
    mimeType: "text/plain",
  },
  {
    server,
    uri: "test://static-binary",
    name: "Static binary",
    description: "A static image.",
    mimeType: "image/png",
  },
  {
    server,
    uri: "test://watched-resource",
    name: "Watched",
    description: "It may change.",
    mimeType: "text/plain",
  },
];

const prompts = [
  { server, name: "test_simple_prompt", description: "A simple prompt." },
  {
    server,
    name: "test_prompt_with_arguments",
    description: "A prompt with arguments.",
    arguments: [
      { name: "arg1", description: "First.", required: true },
      { name: "arg2", description: "Second.", required: true },
    ],
  },
  {
    server,
    name: "test_prompt_with_embedded_resource",
    description: "A prompt with a resource.",
    arguments: [{ name: "resourceUri", description: "Which.", required: true }],
  },
  { server, name: "test_prompt_with_image", description: "A prompt with an image." },
];

function messagesOf(name: string, given: Readonly<Record<string, string>>) {
  const text = (words: string) => ({ type: "text", text: words });
  switch (name) {
    case "test_simple_prompt":
      return [text("This is a simple prompt for testing.")];
    case "test_prompt_with_arguments":
      return [text(`Prompt with arguments: arg1='${given.arg1}', arg2='${given.arg2}'`)];
    case "test_prompt_with_embedded_resource":
      return [
        {
          type: "resource",
          resource: {
            uri: given.resourceUri ?? "",
            mimeType: "text/plain",
            text: "Embedded resource content.",
          },
        },
        text("Please process the embedded resource above."),
      ];
    case "test_prompt_with_image":
      return [{ type: "image", data: png, mimeType: "image/png" }, text("Please analyze the image above.")];
    default:
      return undefined;
  }
}
