/** The real Codex that the checks run against. */
import { npmProgram } from "./npm-package.ts";

/** Everything the checks say was seen with exactly this version. */
export const codexPackage = { name: "@openai/codex", version: "0.166.0" };

/** The program itself: the package's own launcher would only look for it. */
export const { find: findCodex, install: installCodex } = npmProgram({
  agent: "codex",
  package: codexPackage,
  file: "@openai/codex-*/vendor/*/bin/codex{,.exe}",
});
