/**
 * Programs that run the command in their arguments inside of something: packages of a project, an environment,
 * secrets of a vault. Unlike wrappers they are approved by their own name, and opened for rules that stop.
 */

import { words } from "../../core/text/words.ts";
import { COMMAND_OPTIONS } from "./command-options.ts";

export interface Runner {
  /** The words behind the program's name that make it a runner; a bar stands between spellings. */
  readonly words: string;
  /** Options that take the next word. Of others nobody knows: the command may begin at either place. */
  readonly values?: string;
  /** Options whose value is a line for a shell: `npx -c 'eslint .'`. */
  readonly texts?: string;
  /** Options behind which all is the command: `nix shell x -c eslint .`. */
  readonly rest?: string;
  /** All its words are lines for a shell: `concurrently "a" "b"`. */
  readonly lines?: true;
  /** So many words stand before the command: `direnv exec DIR eslint`. */
  readonly skips?: number;
  /** The command stands behind `--`: wherever there is one, or there only. */
  readonly behindDashes?: "if-any" | "only";
  /** A word holds a line for a shell, which is the first group: `make SHELL=x`. */
  readonly inWords?: RegExp;
  /** Values of `texts` that are no news: `rsync -e ssh`. */
  readonly usual?: RegExp;
  /** Its other words are no command. */
  readonly takesNoCommand?: true;
  /** No command begins with one of these. */
  readonly unless?: string;
  /** What of the first word is not the program's name: `eslint@9`, `lint:eslint`. */
  readonly drops?: RegExp;
}

const version = /(?<=.)@[^@/]*$/;
const npm: Runner = {
  words: "exec|x|exe",
  values:
    "-p --package -w --workspace --prefix -C --registry --cache --loglevel --userconfig --globalconfig --script-shell",
  texts: "-c --call",
  drops: version,
};
const pnpm: Runner = {
  words: "",
  values: "--filter -F --filter-prod -C --dir --loglevel --reporter --registry --package --prefix",
  drops: version,
};
const pnpmsOwn =
  "add audit bin cache cat-file cat-index config c completion create deploy dedupe docs bugs repo doctor dlx env exec fetch find-hash " +
  "help import init install i install-test it link ln list ls la ll licenses login logout adduser outdated pack patch patch-commit " +
  "patch-remove ping prune publish rebuild rb recursive m multi remove rm uninstall un unlink dislink restart root run run-script " +
  "self-update server setup start stop store test t tst update up upgrade version view v info show whoami why access owner org search star " +
  "team token unpublish dist-tag profile approve-builds ignored-builds";
const yarn: Runner = { words: "exec|dlx", values: "--cwd -p --package", drops: version };
const bun: Runner = { words: "", values: "--cwd -c --config --filter -F -p --package", drops: version };
const uv: Runner = {
  words: "run",
  values:
    "--with --with-editable --with-requirements --extra --group --only-group --no-group --no-extra --env-file --package --python -p " +
    "--index --default-index --directory --project --config-file --cache-dir -i --index-url --extra-index-url -f --find-links --from -C --color",
  drops: version,
};
const plain = (sub: string, values = ""): Runner => ({ words: sub, values });
const secrets = (sub: string, values = "", texts = ""): Runner => ({
  words: sub,
  values,
  texts,
  behindDashes: "if-any",
});
const conda = plain("run", "-n --name -p --prefix --cwd");
const mise: Runner = {
  words: "exec|x|exe",
  values: "-C --cd -E --env -j --jobs",
  texts: "-c --command",
  behindDashes: "if-any",
};
const nixShell = "-c --command";

/** By program; two of them where it runs commands in two ways. */
const table: Readonly<Record<string, readonly Runner[]>> = {
  "npx pnpx": [{ ...npm, words: "" }],
  npm: [npm],
  // What is no command of its own, pnpm looks for as a script and then as a program.
  pnpm: [
    { ...pnpm, words: "exec|dlx" },
    { ...pnpm, words: "", unless: pnpmsOwn },
  ],
  "yarn yarnpkg": [yarn],
  bunx: [bun],
  // `bun run` finds programs of the system, too.
  bun: [
    { ...bun, words: "x|run" },
    { words: "exec", lines: true },
  ],
  corepack: [plain("")],
  "lerna nx": [secrets("exec", "--scope --ignore --concurrency")],
  uv: [uv, { ...uv, words: "tool run" }],
  uvx: [{ ...uv, words: "" }],
  pipx: [{ ...plain("run", "--spec --python --index-url --pip-args --with"), drops: version }],
  "poetry pipenv": [plain("run", "-C --directory -P --project --python")],
  "pdm rye pixi": [
    plain("run", "-p --project -e --environment --manifest-path --pyproject -s --site-packages"),
  ],
  hatch: [
    { words: "run", values: "-e --env -p --project", drops: /^[\w.-]+:/ },
    plain("env run", "-e --env -p --project"),
  ],
  "conda mamba micromamba": [conda],
  "bundle bundler rbenv pyenv nodenv asdf tox": [plain("exec|e", "--gemfile -e")],
  composer: [plain("exec", "-d --working-dir")],
  "mise rtx": [mise],
  "direnv nvm": [{ words: "exec", skips: 1 }],
  fnm: [plain("exec", "--using")],
  volta: [plain("run", "--node --npm --pnpm --yarn")],
  "devbox devenv": [
    plain("run", "-c --config -e --env --env-file --environment"),
    secrets("shell", "-c --config"),
  ],
  nix: [{ words: "shell|develop|env", rest: nixShell, behindDashes: "only" }],
  "nix-shell": [{ words: "", texts: "--run --command", behindDashes: "only" }],
  guix: [{ words: "shell", behindDashes: "only" }],
  dotenv: [secrets("", "-f --file -e -v -c -p -i --quote"), secrets("run", "-f --file")],
  dotenvx: [secrets("run", "-f --env-file -e --env -fk --env-keys-file")],
  op: [secrets("run", "--env-file --account --config --session")],
  doppler: [
    secrets("run", "-p --project -c --config -t --token --scope --mount --name-transformer", "--command"),
  ],
  infisical: [
    secrets("run", "--env --path --projectId --token --tags --domain --project-config-dir", "--command"),
  ],
  "aws-vault chamber": [{ words: "exec", skips: 1, behindDashes: "if-any" }],
  envchain: [{ words: "", skips: 1 }],
  sops: [{ words: "exec-env|exec-file", skips: 1, lines: true }],
  "foreman honcho heroku": [plain("run|local:run", "-e --env -f --procfile -d --root -a --app")],
  "cross-env env-cmd": [plain("", "-f --file -e --environments -r --rc-file")],
  "cross-env-shell concurrently conc hyperfine start-server-and-test": [{ words: "", lines: true }],
  nodemon: [{ words: "", texts: "-x --exec", behindDashes: "only" }],
  "watchexec onchange reflex chokidar": [
    {
      words: "",
      values:
        "-w --watch -e --exts -f --filter -i --ignore -d --debounce --delay-run --project-origin --workdir",
      texts: "-c --command",
      behindDashes: "if-any",
    },
  ],
  "dumb-init tini eatmydata proxychains proxychains4 run0": [plain("", "-r --rewrite -f -p")],
  "xterm rxvt urxvt konsole alacritty gnome-terminal xfce4-terminal terminator kitty foot x-terminal-emulator":
    [{ words: "", rest: "-e -x --execute --command --", takesNoCommand: true }],
  ip: [{ words: "netns exec", skips: 1 }],
  launchctl: [{ words: "submit", behindDashes: "only" }],
  sshpass: [plain("", "-p -f -d -P")],
  "wsl wsl.exe": [
    { words: "", values: "-d --distribution -u --user --cd", rest: "-e --exec", behindDashes: "if-any" },
  ],
  "gosu su-exec faketime gtimeout": [{ words: "", skips: 1 }],
};

/** Some programs are in both tables: `npm exec`, `npm --script-shell`. */
export const RUNNERS: ReadonlyMap<string, readonly Runner[]> = byProgram([table, COMMAND_OPTIONS]);

function byProgram(tables: readonly (typeof table)[]): Map<string, readonly Runner[]> {
  const found = new Map<string, readonly Runner[]>();
  for (const [names, runners] of tables.flatMap((one) => Object.entries(one)))
    for (const name of words(names)) found.set(name, [...(found.get(name) ?? []), ...runners]);
  return found;
}
