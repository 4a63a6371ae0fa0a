/** Templates with values in every kind of place, and what must arrive; for our compiler and for broken ones. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell text

import type { TemplateWorld } from "./template-world.ts";

/** Turns template and values into a command, like the compiler. Undefined: refused. */
export type Binder = (
  template: string,
  values: { x: string; y: string },
) => { command: string; args: readonly string[] } | undefined;

/** The words around the values, and what `show` must then receive. */
export const SHAPES: [string, (x: string, y: string) => string[]][] = [
  ["show {{x}}", (x) => [x]],
  ["show '{{x}}'", (x) => [x]],
  ['show "{{x}}"', (x) => [x]],
  ["show {{x}} {{y}}", (x, y) => [x, y]],
  ["show {{y}}{{x}}", (x, y) => [y + x]],
  ["show --x={{x}}", (x) => [`--x=${x}`]],
  ["show 'a b {{x}} c {{y}} d'", (x, y) => [`a b ${x} c ${y} d`]],
  ['show "a \' {{x}} \\" {{y}}"', (x, y) => [`a ' ${x} " ${y}`]],
  ["show pre\\ {{x}}'{{y}}'\"{{x}}\"post", (x, y) => [`pre ${x}${y}${x}post`]],
  ["show '{{x}}''{{y}}' end", (x, y) => [x + y, "end"]],
  ["true && show {{x}} || show failed", (x) => [x]],
  ["{ show {{x}}; } 2>/dev/null | cat", (x) => [x]],
  ["if true; then (show '{{x}}' \"{{y}}\"); fi", (x, y) => [x, y]],
  ["! false && command show {{x}} # a comment's end", (x) => [x]],
  ['env A=1 timeout 5 show {{x}} "$(echo ok)"', (x) => [x, "ok"]],
  ["show \\\n  {{x}} \\\n  '{{y}}'", (x, y) => [x, y]],
  ['A="it\'s" show "$$"{{x}} >/dev/null; show {{y}}', (_, y) => [y]],
];

/** Empty when values always arrive unchanged and nothing else runs; else what went wrong. */
export function attackTemplates(world: TemplateWorld, bind: Binder, values: readonly string[]): string[] {
  const failures: string[] = [];
  for (const [template, expected] of SHAPES) {
    for (const [at, x] of values.entries()) {
      if (failures.length > 0) return failures;
      const y = values[(at * 7 + 3) % values.length]!;
      const bound = bind(template, { x, y });
      if (bound === undefined) {
        failures.push(`${template}: refused`);
        break;
      }
      const calls = world.run(bound.command, bound.args);
      if (JSON.stringify(calls) !== JSON.stringify([expected(x, y)]))
        failures.push(`${template}: ${x} arrived as ${JSON.stringify(calls)}`);
      if (world.markers().length > 0) return [...failures, `${template}: ${x} was run`];
    }
  }
  return failures;
}
