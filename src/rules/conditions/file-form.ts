/** Files by folder and ending, written as `usage` writes operands: `src/PATH.ts`, `docs/NAME.md`. */
import { wordSet } from "../../core/text/words.ts";
import { fitsForm } from "./usage.ts";

/** Paths are relative to the workspace. */
export interface FileForm {
  /** To widen: plain names in that folder, and none that tools run or agents obey by themselves. */
  approves(relative: string): boolean;
  /** To narrow: whatever lies there and ends so, in capitals too. */
  concerns(relative: string): boolean;
}

const form = /^((?:[\w@+-][\w.@+-]*\/)*)(?:PATH|NAME)((?:\.[\w-]+)*)$/;
const types = /(?<![A-Z])(?:NUMBER|HASH|NAME|PATH|TEXT)(?![A-Z])/;

/** A string is the problem, said for the policy's author. */
export function parseFileForm(value: string): FileForm | string {
  const [whole, folder = "", ending = ""] = form.exec(value) ?? [];
  if (whole === undefined || types.test(folder) || types.test(ending))
    return `files takes a folder of the workspace and an ending such as src/PATH.ts or docs/NAME.md, not ${JSON.stringify(value)}.`;
  const fits = fitsForm(value);
  const [above, end] = [folder.toLowerCase(), ending.toLowerCase()];
  return {
    approves: (relative) => fits(relative) && !isRunByTools(relative),
    concerns: (relative) => {
      const name = relative.toLowerCase();
      return name.startsWith(above) && name.endsWith(end);
    },
  };
}

const folders = wordSet("node_modules vendor bin sbin hooks scripts ci .github");
/** Also with more behind it: `gulpfile.babel.js`, `webpack.config.dev.js`, `CLAUDE.local.md`. */
const names = wordSet(
  "config conf setup setuptests conftest gulpfile gruntfile rakefile makefile fabfile jakefile knexfile plopfile dangerfile conanfile toxfile noxfile gemfile tasks dodo manage sitecustomize usercustomize build hatch_build mix package workspace ormconfig testem extconf spec_helper rails_helper gatsby-node ember-cli-build instrumentation pnpmfile cmakelists constraints claude agents gemini skill",
);
/** `truffle-config.js`, `global-setup.ts`, `requirements-dev.txt`. */
const like = /[-_](?:config|conf|setup)$|^requirements(?:$|[-_])/;
/** Texts that an agent reads before its work, each named after some agent or by what it is for. */
const obeyed = wordSet(
  "agent qwen crush warp kiro iflow replit copilot-instructions instructions prompt chatmode conventions memory rules",
);
const textEnds = wordSet("md mdx mdc txt rst");

/** Where file systems do not tell capitals from others, `Conftest.py` is `conftest.py`: so it is here. */
export function isRunByTools(relative: string): boolean {
  const parts = relative.toLowerCase().split("/");
  return parts.slice(0, -1).some((part) => folders.has(part)) || isRunName(parts.at(-1) ?? "");
}

function isRunName(base: string): boolean {
  const parts = base.split(".");
  const isText = textEnds.has(parts.pop() ?? "");
  return parts.some((part) => names.has(part) || like.test(part) || (isText && obeyed.has(part)));
}
