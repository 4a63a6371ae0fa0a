/** How a rule says for whom it holds. */
import { choice, closed, type Shaped } from "../../core/input/shape.ts";
import { rights } from "../../core/ports/tokens.ts";

const name = { type: "string", minLength: 1, maxLength: 300 } as const;
const names = { type: "array", items: name, minItems: 1 } as const;
const right = choice(rights, "call, read, approve or admin.");

/** Without a mapping: names. */
export const callerShape = {
  description:
    'Only for these callers: a name (the token\'s, or local), a pattern with * in quotes ("ci-*"), a list of them, or a mapping with name, not and right.',
  oneOf: [
    name,
    names,
    closed(
      {
        name: { description: "The caller is one of these.", oneOf: [name, names] },
        not: { description: "The caller is none of these.", oneOf: [name, names] },
        right: {
          description:
            "The caller's token has one of these rights. Without a token they are unknown: then only a rule that narrows holds.",
          oneOf: [
            { ...right, type: "string" },
            { type: "array", items: right, minItems: 1 },
          ],
        },
      },
      [],
      "For whom it holds; all that is said must hold.",
    ),
  ],
} as const;

export type WrittenCaller = Shaped<typeof callerShape>;
