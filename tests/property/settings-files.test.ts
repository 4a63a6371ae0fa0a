/** Whatever a person's settings look like: ours come in once, and what is not ours is as it was, to the byte. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { putParts, takeParts } from "../../src/agents/set-up/change-files.ts";
import type { FilePart } from "../../src/agents/set-up/file-part.ts";
import { hooksInJson } from "../../src/agents/set-up/json-hooks.ts";
import { hooksInToml } from "../../src/agents/set-up/toml-hooks.ts";
import { createWorld, type World } from "../unit/agents/claude-code/world.ts";
import { remembering } from "../unit/agents/installing.ts";

/** A settings file, and the same one after somebody else has changed it. */
interface Case {
  readonly text: string;
  readonly edit: (text: string) => string;
}

const word = fc.constantFrom("model", "theme", "a b", "ü", "mcp", "x.y", "hooked", "timeout");
const scalar = fc.oneof(
  fc.constantFrom(true, 1, -2.5, "", "text", 'a "b" \\ c', "hook.sh", "[[hooks]]", "// no comment", "# none"),
  fc.string({ maxLength: 8 }),
);
const settings = fc.dictionary(
  word,
  fc.oneof(scalar, fc.dictionary(word, scalar, { maxKeys: 3 }), fc.array(scalar)),
);
const foreign = fc.array(
  fc.record({ command: fc.constantFrom("./mine.sh", "hook.sh other", "node x"), timeout: fc.nat(99) }),
  { maxLength: 3 },
);

const layout = fc.record({
  indent: fc.constantFrom<string | number>(0, 2, 4, "\t"),
  crlf: fc.boolean(),
  mark: fc.boolean(),
  end: fc.constantFrom("", "\n", "\n\n"),
});

function lay(text: string, { crlf, mark, end }: { crlf: boolean; mark: boolean; end: string }): string {
  const whole = `${mark ? "\ufeff" : ""}${text}${end}`;
  return crlf ? whole.replaceAll("\n", "\r\n") : whole;
}

/** What others do to a JSON file: another value, one more member, blanks. */
const jsonEdits = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.replace('"0ld"', '"another one"'),
  (text) => text.replace('"0ld"', '"0ld", "more": [1,  2]'),
  (text) => `${text} \n`,
);

const json = (events: "groups" | "flat"): fc.Arbitrary<Case> =>
  fc
    .record({
      before: settings,
      after: settings,
      mine: foreign,
      layout,
      edit: jsonEdits,
      withHooks: fc.boolean(),
    })
    .map(({ before, after, mine, layout: how, edit, withHooks }) => {
      const list = events === "flat" ? mine : mine.map((hook) => ({ matcher: "x", hooks: [hook] }));
      const value = {
        ...before,
        marker: "0ld",
        ...(withHooks && { hooks: { before: list, Stop: list, on: true } }),
        ...after,
      };
      return { text: lay(JSON.stringify(value, null, how.indent), how), edit };
    });

/** The same with comments between the lines and commas at the ends. */
const commented: fc.Arbitrary<Case> = fc
  .record({ one: json("groups"), every: fc.integer({ min: 1, max: 4 }), comma: fc.boolean() })
  .map(({ one: { text, edit }, every, comma }) => ({
    text: text
      .split("\n")
      .map((line, at) =>
        at % every !== 0 || !/[,{[]\r?$/.test(line) ? line : line.replace(/(\r?)$/, ` // mine ${at}$1`),
      )
      .join("\n")
      .replace(/(["\d\]}e])(\s*\}\s*)$/, comma ? "$1,$2" : "$1$2"),
    edit,
  }));

const tomlEdits = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.replace('"0ld"', '"another one"'),
  (text) => text.replace('"0ld"', '"0ld" # mine\nmore = [1,  2]'),
  (text) => `${text}${text.endsWith("\n") ? "" : text.includes("\r") ? "\r\n" : "\n"}[added]\nlast = 1`,
);

const bare = (name: string) => JSON.stringify(name);
const tomlText = (value: unknown): string =>
  Array.isArray(value)
    ? `[ ${value.map(tomlText).join(",\n  ")} ]`
    : typeof value === "string"
      ? `"${value.replace(/[\\"]/g, "\\$&").replace(/[^\x20-\x7e]/gu, (one) => `\\U${(one.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`)}"`
      : String(value);

const toml: fc.Arbitrary<Case> = fc
  .record({
    top: fc.dictionary(word, fc.oneof(scalar, fc.array(scalar))),
    parts: fc.dictionary(word, fc.dictionary(word, scalar)),
    mine: foreign,
    layout,
    edit: tomlEdits,
    comment: fc.constantFrom("", "# mine\n", "\n# [[hooks]]\n"),
    long: fc.boolean(),
  })
  .map(({ top, parts, mine, layout: how, edit, comment, long }) => {
    const lines = (table: object) =>
      Object.entries(table)
        .map(([name, value]) => `${bare(name)} = ${tomlText(value)}\n`)
        .join("");
    const text = [
      lines(top),
      'marker = "0ld"\n',
      long ? 'long = """\n[[hooks]]\ncommand = "x"\n"""\n' : "",
      comment,
      ...Object.entries(parts).map(
        ([name, table]) => `[${bare(`t-${name}`)}] # ${name}\n${lines(table)}${comment}`,
      ),
      ...mine.map((hook) => `[[hooks]]\n${lines({ event: "Stop", ...hook })}\n`),
    ].join("");
    return { text: lay(text.trimEnd(), { ...how, mark: false }), edit };
  });

const kinds: readonly (readonly [string, fc.Arbitrary<Case>, (file: string) => FilePart])[] = [
  ["groups in JSON", json("groups"), (file) => groups(file, false)],
  ["groups in JSON with comments", commented, (file) => groups(file, true)],
  ["flat lists in JSON", json("flat"), flat],
  ["tables in TOML", toml, tables],
];

function flat(file: string): FilePart {
  return hooksInJson({
    agent: "example",
    file,
    hooks: ({ before, after }) => ({
      before: [{ command: before.line, timeout: before.seconds }],
      after: [{ command: after.line }],
    }),
  });
}

function tables(file: string): FilePart {
  return hooksInToml({
    agent: "example",
    file,
    hooks: ({ before, after }) => [
      { event: "before", command: before.line, timeout: before.seconds },
      { event: "after", command: after.line },
    ],
  });
}

function groups(file: string, withComments: boolean): FilePart {
  return hooksInJson({
    agent: "example",
    file,
    withComments,
    hooks: ({ before, after }) => ({
      before: [{ matcher: "*", hooks: [{ type: "command", command: before.line, timeout: 300_000 }] }],
      after: [{ hooks: [{ type: "command", command: after.line }] }],
    }),
  });
}

const hook = { program: { path: "/opt/tool gate/hook.sh" }, node: "/usr/bin/node", key: "k1" };

function open(world: World, part: FilePart) {
  const request = { ...world.request, scope: "user", memory: remembering() } as const;
  const changed = (done: ReturnType<typeof putParts>) => {
    if (!done.ok) throw new Error(done.message);
    return done.files[0]?.change;
  };
  return {
    install: (using = hook) => changed(putParts(request, [part], using)),
    uninstall: () => changed(takeParts(request, [part])),
  };
}

describe.for(kinds)("%s", ([, cases, make]) => {
  it("come in once, and go to the byte, whatever others have written meanwhile", () => {
    const world = createWorld();
    const file = world.write("home/settings", "");
    const part = make(file);
    fc.assert(
      fc.property(cases, fc.boolean(), ({ text, edit }, isUpdated) => {
        writeFileSync(file, text);
        const agent = open(world, part);
        expect(agent.install()).toBe("changed");
        const installed = readFileSync(file, "utf8");
        expect(part.find(installed)).toHaveLength(2);
        expect(agent.install()).toBe("none");
        writeFileSync(file, edit(installed));
        if (isUpdated) agent.install({ ...hook, node: "/opt/node" });
        expect(part.find(readFileSync(file, "utf8"))).toHaveLength(2);
        expect(agent.uninstall()).toBe("changed");
        expect(readFileSync(file, "utf8")).toBe(edit(text));
        expect(agent.uninstall()).toBe("none");
      }),
      { numRuns: 50 },
    );
    rmSync(file);
  });

  it("go without a trace in what the file says, also where nobody remembers them", () => {
    const part = make("/settings");
    const textOf = (edited: ReturnType<FilePart["take"]>) =>
      edited.ok ? (edited.text ?? "") : edited.message;
    fc.assert(
      fc.property(cases, ({ text, edit }) => {
        const installed = textOf(part.put(text, hook));
        const left = textOf(part.take(edit(installed)));
        expect(withoutEmpty(part.meaning?.(left))).toEqual(withoutEmpty(part.meaning?.(edit(text))));
      }),
      { numRuns: 50 },
    );
  });
});

/** A list of ours that is empty again goes, and nobody knows whether it was empty before. */
function withoutEmpty(value: unknown): unknown {
  const { hooks, ...rest } = value as { hooks?: unknown };
  if (hooks === undefined || Array.isArray(hooks)) return value;
  const events = Object.entries(hooks as object).filter(
    ([name, list]) => name !== "before" || list.length > 0,
  );
  return { ...rest, hooks: Object.fromEntries(events) };
}
