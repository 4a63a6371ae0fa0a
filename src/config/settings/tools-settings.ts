/** The sections `tools` and `categories` of a configuration file: which tools there are, and which are on. */
import { byName, choice, closed, flag, type Shaped, section, text } from "../../core/input/shape.ts";
import { type Category, categoriesNamed, shippedCategories, unionNames } from "../../core/tool/categories.ts";
import { permissions } from "../../core/tool/permission.ts";
import { closestNames } from "../../core/tool/tool-name.ts";
import { hiddenShape } from "../../rules/shapes/hidden-shape.ts";
import type { ShapeProblem } from "../../safe/files/documents/check-shape.ts";
import type { SettingsOf } from "./read-section.ts";

const names = { type: "array", items: { type: "string", minLength: 1 } } as const;

export const toolsShape = section(
  {
    enable_all: flag(
      "true: every category on. false: every category off but those in enabled_categories. Policies still decide on each call.",
    ),
    enabled_categories: {
      description:
        "Categories switched on besides those that are on by default: a list, or a mapping of true and false.",
      oneOf: [
        names,
        {
          type: "object",
          propertyNames: { type: "string", minLength: 1 },
          additionalProperties: { type: "boolean" },
        },
      ],
      examples: [["web"], { web: true, task: false }],
    },
    disabled_categories: {
      ...names,
      description: "Categories switched off, whatever another file or a flag switches on.",
      examples: [["shell"]],
    },
    hidden: {
      type: ["array", "null"],
      description:
        "Tools that some clients neither see nor can call. To them these tools are unknown; by default they see all.",
      items: hiddenShape,
      examples: [[{ caller: "ci-*", categories: ["task"] }]],
    },
    ceilings: byName(
      choice(permissions, "read < write < execute."),
      "The most that tools of a category may do, by category: read, write or execute. Higher or lower than by default.",
      { examples: [{ code: "execute" }] },
    ),
  },
  "Which tools are on.",
);

export const categoryShape = closed(
  {
    name: text("Its name for people. By default its id.", { minLength: 1, maxLength: 100 }),
    description: text("What its tools are for.", { maxLength: 1_000 }),
    ceiling: choice(permissions, "The most that its tools may do: read, write or execute."),
    enabled: flag("Whether its tools are on.", { default: true }),
  },
  ["ceiling"],
  "A category of tools.",
);

export const categoriesShape = byName(
  categoryShape,
  "New categories by id, which plugin files can name. Of a project's file only if it is trusted.",
  { examples: [{ deployment: { description: "Deploys services.", ceiling: "execute" } }] },
);

type WrittenTools = SettingsOf<typeof toolsShape>;

/** What is written as a mapping becomes two lists. */
export interface ToolsSettings extends Omit<WrittenTools, "enabledCategories"> {
  readonly enabledCategories?: readonly string[];
}

/** For a section that was checked. */
export function toToolsSettings({ enabledCategories, ...others }: WrittenTools): ToolsSettings {
  const { on, off } = said(enabledCategories);
  const disabled = [...(others.disabledCategories ?? []), ...off];
  return {
    ...others,
    ...(on !== undefined && { enabledCategories: on }),
    ...(disabled.length > 0 && { disabledCategories: [...new Set(disabled)] }),
  };
}

function said(written: WrittenTools["enabledCategories"]): {
  readonly on: readonly string[] | undefined;
  readonly off: readonly string[];
} {
  if (written === undefined || isList(written)) return { on: written, off: [] };
  const of = (value: boolean) => Object.keys(written).filter((name) => written[name] === value);
  const on = of(true);
  return { on: on.length > 0 ? on : undefined, off: of(false) };
}

function isList(value: object): value is readonly string[] {
  return Array.isArray(value);
}

/** What no schema can say about one file. Whether a category exists is known when all files are read. */
export function checkTools(
  tools: WrittenTools | undefined,
  categories: Readonly<Record<string, unknown>> = {},
): ShapeProblem[] {
  const problems: ShapeProblem[] = [];
  const problem = (path: ShapeProblem["path"], part: "key" | "value", reason: string): void => {
    problems.push({ path, part, reason, plain: reason });
  };
  const { on = [] } = said(tools?.enabledCategories);
  for (const [index, name] of (tools?.disabledCategories ?? []).entries())
    if (on.includes(name))
      problem(["tools", "disabled_categories", index], "value", "is also in enabled_categories; say one.");
  for (const [index, { categories, tools: named }] of (tools?.hidden ?? []).entries())
    if (categories === undefined && named === undefined)
      problem(["tools", "hidden", index], "value", "hides nothing; say categories or tools.");
  for (const id of Object.keys(categories)) {
    if (!/^[a-z][a-z0-9_-]{0,63}$/.test(id))
      problem(
        ["categories", id],
        "key",
        'an id is lower-case letters, digits, "_" and "-", such as "deploy".',
      );
    else if (isShipped(id))
      problem(
        ["categories", id],
        "key",
        "exists already; change it under tools (enabled_categories, ceilings).",
      );
  }
  return problems;
}

function isShipped(id: string): boolean {
  return unionNames.includes(id) || shippedCategories.some((category) => category.id === id);
}

export function toCategory(id: string, written: Shaped<typeof categoryShape>): Category {
  const { name = id, description = "", ceiling, enabled = true } = written;
  return { id, name, description, ceiling, enabled };
}

/** Why a file's words about categories cannot be followed, one by one: they name some that nobody defined. */
export function explainUnknownCategories(
  { enabledCategories = [], disabledCategories = [], ceilings = {}, hidden = [] }: ToolsSettings,
  defined: readonly Category[],
): { readonly message: string; readonly plain: string }[] {
  const known = [...shippedCategories, ...defined].map(({ id }) => id);
  const named: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["enabled_categories", enabledCategories, unionNames],
    ["disabled_categories", disabledCategories, unionNames],
    ["ceilings", Object.keys(ceilings), []],
    ["hidden", hidden.flatMap(({ categories = [] }) => categories), unionNames],
  ];
  return named.flatMap(([key, names, unions]) =>
    names
      .filter((name) => !(unions.includes(name) || known.includes(name)))
      .map((name) => {
        const all = [...known, ...unions];
        const close = closestNames(name, all, 1)[0];
        const meant = close === undefined ? "" : ` Did you mean "${close}"?`;
        const plain = `tools.${key}: names a category that does not exist. Known: ${all.join(", ")}.`;
        return {
          message: `tools.${key}: there is no category ${JSON.stringify(name)}.${meant} Known: ${all.join(", ")}.`,
          plain,
        };
      }),
  );
}

/** A category that the files switch off stays off: whoever names it on the command line is told why. */
export function switchedOff(wanted: readonly string[], disabled: readonly string[]): string | undefined {
  const off = new Set(disabled.flatMap(categoriesNamed));
  return wanted.find((name) => disabled.includes(name) || categoriesNamed(name).some((id) => off.has(id)));
}
