import { describe, expect, it } from "vitest";
import { trapReason } from "../../../../src/safe/sandbox/trap-names.ts";
import { words } from "../../../words.ts";

const traps = words(`
  .claude .mcp.json .envrc .vscode .idea .husky .npmrc .yarnrc.yml .pnpmfile.cjs toolgate.yaml .toolgate
  .codex .gemini .cursor .windsurf .qwen .opencode .kilo .pi .bashrc .zshenv .profile .gitmodules
  .pre-commit-config.yaml lefthook.yml .tool-versions .hg sitecustomize.py team.code-workspace .CLAUDE .Envrc
  mise.toml .devcontainer .ssh .config/git .config/fish .local/bin .cargo/config.toml .yarn/releases
  .local/state/toolgate .helix .amazonq .kilocode .vibe .openhands .continuerc.json .github/hooks
  .dir-locals-2.el .bsp buildServer.json .rvmrc .envrc.local .mise.dev.toml rust-toolchain rust-toolchain.toml
  bunfig.toml .direnv/flake-profile.rc .pijul .Rprofile .ghci .irbrc .pryrc .iex.exs .ocamlinit .octaverc .pdbrc
  jupyter_server_config.py jupyter_config.json .lintstagedrc.json lint-staged.config.mjs
`);
const ordinary = words(`
  package.json Makefile conftest.py src README.md .gitignore .gitattributes .editorconfig .github .gitlab-ci.yml
  tsconfig.json .eslintrc.json .prettierrc Dockerfile .nvmrc .cache CLAUDE.md AGENTS.md config bin .config .local
  .yarn .cargo state/toolgate customize.py node_modules .venv setup.py compose.yaml .dockerignore src/git
  releases/plugins
`);
const refusedBefore = words(".envrc.refused-12ab .Rprofile.refused-12ab .lintstagedrc.refused-12ab");

const reasonFor = (path: string) => {
  const names = path.split("/");
  return trapReason(names.slice(0, -1), names.at(-1) ?? "");
};

describe("a name that makes programs run something", () => {
  it("is refused wherever it is, in whatever spelling", () => {
    for (const path of traps) expect(reasonFor(path), path).toBeTypeOf("string");
  });

  it("is not one of ordinary work, nor one that was refused already", () => {
    for (const path of [...ordinary, ...refusedBefore]) expect(reasonFor(path), path).toBeUndefined();
  });
});
