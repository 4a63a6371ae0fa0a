// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell text
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileTemplate } from "../../src/safe/template/template-args.ts";
import { byTier } from "../tier.ts";
import { attackTemplates } from "./template-shapes.ts";
import { createTemplateWorld, HOSTILE_VALUES, type TemplateWorld } from "./template-world.ts";

const numRuns = byTier(6_000, 60_000);

let world: TemplateWorld;
beforeAll(() => {
  world = createTemplateWorld();
});
afterAll(() => world.close());

const properties = { x: { required: true, allowDash: true }, y: { required: true, allowDash: true } };

function bind(template: string, values: { x: string; y: string }) {
  const compiled = compileTemplate(template, properties);
  const bound = compiled.ok ? compiled.bind(values) : undefined;
  return bound?.ok ? bound : undefined;
}

/** Pieces of shell text in any order: most of it is nonsense, what loads must be safe all the same. */
const FRAGMENTS = [
  ..."show {{x}} {{y}} '{{x}}' \"{{y}}\" pre{{x}} --o={{y}} {{x}}{{y}} a b $HOME ${HOME} ${A:-b} $$ $? ~ * [ab] {a,b} -n --".split(
    " ",
  ),
  ..."; | || && & ( ) { } ! ' \" \\ ` $ $( $(( )) # < > 2>&1 >f <f << <<E if then else fi while do done for in case esac echo true".split(
    " ",
  ),
  ...'\'a b\' "a b" \\\' \\" \\\\ \\{{x}} ${ } = A=1 show( ) {{x}}) \'{{y} }} {{ $\'{{x}}\' $"{{x}}" |& &> <( [[ ]] time command env A="{{x}}" eval sh -c'.split(
    " ",
  ),
  "\n",
  "\\\n",
  "\nE\n",
  " ",
  "",
];

describe("templates made at random", () => {
  it("run nothing but what the author wrote, and hand values over whole", () => {
    let loaded = 0;
    const piece = fc.tuple(fc.constantFrom(...FRAGMENTS), fc.constantFrom(" ", " ", " ", ""));
    const template = fc
      .array(piece, { minLength: 1, maxLength: 9 })
      .map((pieces) => `show ${pieces.flat().join("")}`);
    const value = fc.constantFrom(...HOSTILE_VALUES);
    fc.assert(
      fc.property(template, value, value, (text, x, y) => {
        const bound = bind(text, { x, y });
        if (bound === undefined || !text.includes("{{")) return;
        // Who writes a value into a file and gives that file to sh has asked for it to be run.
        if (text.includes(">") && /\bsh\b/.test(text)) return;
        loaded++;
        const calls = world.run(bound.command, bound.args);
        expect(world.markers(), text).toEqual([]);
        // Each value that `show` got is inside one argument: no part of it stands alone as another.
        const words = calls.flat();
        for (const part of x.split(/\s+/).filter((word) => word.includes("pwn") && word !== x)) {
          expect(
            words.filter((word) => word === part && word !== y),
            `${text} with ${x}`,
          ).toEqual([]);
        }
      }),
      { numRuns, interruptAfterTimeLimit: 25_000 },
    );
    expect(loaded).toBeGreaterThan(numRuns / 120);
  });

  it("hand every hostile value over unchanged in every shape", () => {
    expect(attackTemplates(world, bind, HOSTILE_VALUES)).toEqual([]);
  });
});
