/** Every conversion of printf with every modifier beside a real bash: one that sets a variable is never accepted. */

import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { judgeCommand } from "../../src/shell/judge.ts";
import { CONTEXT } from "./shell-policy.ts";

const MODIFIERS = ["", ..."l ll h hh j z t L q -5 05 * .* 5.3 -*.* ' # +l".split(" ")];
const LETTERS = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter(
  (letter) => letter !== "'",
);
const FORMATS = ["", "a%%", "%%%s"]
  .flatMap((before) =>
    MODIFIERS.flatMap((modifier) => LETTERS.map((letter) => `${before}%${modifier}${letter}`)),
  )
  .filter((format) => !format.includes("'"));

describe("printf", () => {
  it("sets no variable with a format that the judge accepts", () => {
    const script = `while IFS= read -r format; do x=; printf -- "$format" x x x x >/dev/null 2>&1; [ -z "$x" ] || printf '%s\\n' "$format"; done`;
    const { stdout, error } = spawnSync("bash", ["-c", script], {
      encoding: "utf8",
      input: `${FORMATS.join("\n")}\n`,
    });
    expect(error).toBeUndefined();
    const setting = stdout.split("\n").filter((line) => line !== "");
    expect(setting).toContain("%n");
    expect(setting).toContain("%lln");
    expect(setting.length).toBeGreaterThan(20);
    const accepted = setting.filter(
      (format) => judgeCommand(`printf '${format}' x`, CONTEXT).risk === "read",
    );
    expect(accepted).toEqual([]);
  });

  it.each([
    "printf '%s\\n' a",
    "printf '%d%%\\n' 5",
    "printf '%-20s|%5.2f|%+d|%x\\n' a 1 2 3",
    "printf '%(%Y-%m-%d)T\\n' -1",
    "printf '%*d\\n' 5 3",
    "printf '%q %b %c\\n' a b c",
    "printf -- '- %s\\n' a",
    "printf 'no conversion at all\\n'",
    'printf "%s\\n" "$HOME"',
    'printf "$HOME\\n"',
  ])("is read where it only prints: %s", (line) => {
    expect(judgeCommand(line, CONTEXT)).toMatchObject({ risk: "read", opaque: [] });
  });

  it.each([
    "printf '%n' x",
    "printf 'a%5ln' x",
    "printf '%%%hhn' x",
    "printf '%-*.*zn' 1 2 x",
    "printf -v x a",
    "printf '%y' x",
  ])("is opaque where it may do more: %s", (line) => {
    expect(judgeCommand(line, CONTEXT).risk).toBe("opaque");
  });
});
