// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell text
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PluginGate, pluginGate, texts } from "../unit/sources/plugins/handlers/plugin-gate.ts";

/** `argv` prints each of its arguments on a line of its own, byte by byte. */
const shapes: [string, (x: string, y: string) => string[]][] = [
  ["bin/argv {{x}}", (x) => [x]],
  ["bin/argv '{{x}}' \"{{y}}\"", (x, y) => [x, y]],
  ["bin/argv \"a {{x}} b\" 'c {{y}} d'", (x, y) => [`a ${x} b`, `c ${y} d`]],
  ["bin/argv --x={{x}} pre{{y}}post", (x, y) => [`--x=${x}`, `pre${y}post`]],
  ["true && bin/argv p{{x}} | cat || echo never", (x) => [`p${x}`]],
  ['if false; then bin/argv no; else (bin/argv "{{x}}"); fi 2>/dev/null', (x) => [x]],
];

async function argvGate(): Promise<PluginGate> {
  const world = await pluginGate(
    shapes.map(([command], at) => ({
      name: `t${at}`,
      inputSchema: texts("x", "y"),
      handler: { type: "shell" as const, command: command.replaceAll("bin/argv", "./argv"), allowDash: true },
    })),
  );
  const script = `#!/bin/sh\nfor one; do printf %s "$one" | od -An -v -tx1 | tr -d ' \\n'; echo .; done\n`;
  writeFileSync(join(world.root, "argv"), script);
  chmodSync(join(world.root, "argv"), 0o755);
  return world;
}

describe("a value in a plugin's command", () => {
  it("reaches the program exactly as it is, whatever it is and wherever the author put it", async () => {
    const { text, root } = await argvGate();
    const hostile = fc.constantFrom(
      ..."'|\"|`|$|$(touch PWNED)|;touch PWNED;|\\|\n|*|?|~|#|!|&|<|>|{a,b}|${x}|-|--| |\t|value0x|{{x}}|\u202e|😀".split(
        "|",
      ),
      "|",
    );
    const value = fc
      .oneof(
        fc.string({ unit: "binary", maxLength: 30 }),
        fc.array(hostile, { maxLength: 5 }).map((all) => all.join("")),
      )
      .filter((one) => !one.includes("\0") && one.isWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: shapes.length - 1 }), value, value, async (at, x, y) => {
        const printed = await text(`t${at}`, { x, y });
        const expected = shapes[at]![1](x, y);
        expect(printed).toBe(expected.map((one) => `${Buffer.from(one).toString("hex")}.`).join("\n"));
      }),
      { numRuns: 20 },
    );
    expect(existsSync(join(root, "PWNED"))).toBe(false);
  });
});
