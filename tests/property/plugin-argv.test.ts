// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell text
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { SHAPES } from "../attack/template-shapes.ts";
import { HOSTILE_VALUES } from "../attack/template-world.ts";
import { pluginGate, texts } from "../unit/sources/plugins/handlers/plugin-gate.ts";

const hostile = fc.constantFrom(
  ...HOSTILE_VALUES,
  ..."$(touch PWNED)|;touch PWNED;|`|$|?|!|<|>|{a,b}|${x}|-|--| |\\|\n|\u202e".split("|"),
  "|",
);
const value = fc
  .oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.array(hostile, { maxLength: 5 }).map((all) => all.join("")),
  )
  .filter((one) => !one.includes("\0") && one.isWellFormed());

it("a value in a plugin's command reaches the program exactly as it is, whatever it is and wherever it stands", async () => {
  const tools = SHAPES.map(([command], at) => ({
    name: `t${at}`,
    inputSchema: texts("x", "y"),
    handler: { type: "shell" as const, command: command.replaceAll("show ", "./show "), allowDash: true },
  }));
  const { text, root } = await pluginGate(tools);
  // It prints each of its arguments on a line of its own, byte by byte.
  const script = `#!/bin/sh\nfor one; do printf %s "$one" | od -An -v -tx1 | tr -d ' \\n'; echo .; done\n`;
  writeFileSync(join(root, "show"), script);
  chmodSync(join(root, "show"), 0o755);
  const shape = fc.integer({ min: 0, max: SHAPES.length - 1 });
  await fc.assert(
    fc.asyncProperty(shape, value, value, async (at, x, y) => {
      const expected = SHAPES[at]![1](x, y).map((one) => `${Buffer.from(one).toString("hex")}.`);
      expect(await text(`t${at}`, { x, y })).toBe(expected.join("\n"));
    }),
    { numRuns: 100 },
  );
  for (const name of ["PWNED", "marker-redirect"]) expect(existsSync(join(root, name))).toBe(false);
});
