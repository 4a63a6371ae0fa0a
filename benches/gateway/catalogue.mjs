// Tools as real servers have them, about 1.2 kB each: the first is `echo`, which is the one that is called.

const things = [
  "issue",
  "pull_request",
  "repository",
  "branch",
  "file",
  "comment",
  "label",
  "release",
  "workflow",
  "user",
];
const verbs = ["create", "update", "delete", "list", "search", "get", "merge", "archive", "assign", "export"];

export function catalogue(count) {
  const tools = [echo];
  for (let index = 1; index < count; index++) tools.push(tool(index));
  return tools;
}

const echo = {
  name: "echo",
  description: "Gives back the text that it was given.",
  inputSchema: {
    type: "object",
    properties: { text: { type: "string", description: "What to give back." } },
    required: ["text"],
  },
};

function tool(index) {
  const verb = verbs[index % verbs.length];
  const thing = things[Math.floor(index / verbs.length) % things.length];
  const what = thing.replace("_", " ");
  return {
    name: `${verb}_${thing}_${index}`,
    title: `${verb} ${what}`,
    description: `Use this to ${verb} a ${what} in the project that the caller may see. Gives the ${what} as it is afterwards, with its identifier, its state and a link. Fails when the ${what} does not exist or the caller lacks the right to ${verb} it. Number ${index}.`,
    inputSchema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: {
        owner: { type: "string", description: "Name of the account that owns it, without the @." },
        project: { type: "string", minLength: 1, maxLength: 200, description: "Name of the project." },
        [`${thing}_id`]: {
          type: "integer",
          minimum: 1,
          description: `Number of the ${what}, as its link shows it.`,
        },
        state: {
          type: "string",
          enum: ["open", "closed", "all"],
          default: "open",
          description: "Only those in this state.",
        },
        labels: {
          type: "array",
          items: { type: "string" },
          maxItems: 50,
          description: "Labels it must have, all of them.",
        },
        page: {
          type: "object",
          properties: {
            size: { type: "integer", minimum: 1, maximum: 100, default: 30 },
            after: { type: "string", description: "The cursor that the page before gave." },
          },
          additionalProperties: false,
        },
      },
      required: ["owner", "project"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: index % 3 === 0, destructiveHint: verb === "delete", openWorldHint: true },
  };
}
