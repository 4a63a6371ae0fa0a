/** What toolgate knows of programs that run their arguments: which are code, which name a program. */
import { eachWord, wordSet, words } from "../../core/text/words.ts";

export interface ProgramRule {
  /** Why values may appear nowhere among the arguments. */
  readonly never?: string;
  /** Options whose argument is the program text or a script. */
  readonly code?: readonly string[];
  /** Options whose argument is loaded or run besides it, or is a setting that can hold a command. */
  readonly loads?: readonly string[];
  /** Options with an argument that is only data; the number says how many (`--arg name value`). */
  readonly data?: Readonly<Record<string, number>>;
  /** Options without argument. Before an operand that matters, an option in no list raises doubt. */
  readonly flags?: readonly string[];
  /** What the first operand is: code or a script to run, the next command, or the name of a subcommand. */
  readonly operand?: "code" | "command" | "subcommand";
  /** Operands before that one (`timeout 5 command`). */
  readonly skip?: number;
  /** Leading `NAME=value` words belong to the program (`env`). */
  readonly assignments?: boolean;
  /** Subcommands or options after which another command follows. */
  readonly runs?: readonly string[];
  /** Subcommands, modules or scripts whose arguments are code again. */
  readonly neverAfter?: readonly string[];
  /** Without script or code it runs what comes through the pipe. */
  readonly readsCode?: boolean;
  /** What follows inline code is plain data; elsewhere it may be read as options or as a command. */
  readonly dataAfterCode?: boolean;
  /** Options are recognised after operands too. */
  readonly permutes?: boolean;
  /** The first word is a bundle of option letters even without a dash (`tar xIf`). */
  readonly bundleFirst?: boolean;
}

const data = (text: string, count = 1): Record<string, number> =>
  Object.fromEntries(words(text).map((name) => [name, count]));
const loads = (names: string): ProgramRule => ({ loads: words(names) });
const interpreter = (rule: ProgramRule = {}): ProgramRule => ({
  code: words("-c -e -E -r --eval --print --command"),
  operand: "code",
  readsCode: true,
  ...rule,
});
const runner = (runs: string, neverAfter: string): ProgramRule => ({
  operand: "subcommand",
  loads: words("-c --call --config --eval --entrypoint"),
  runs: words(runs),
  neverAfter: words(neverAfter),
});

const SHELLS = "sh bash dash ash zsh ksh mksh pdksh yash rbash rksh fish csh tcsh posh elvish nu xonsh osh";

/** They change what the template's own `"$1"` stands for, or run text as if it stood in the template. */
export const REWRITING_BUILTINS = wordSet("eval . source set shift getopts alias unalias trap fc");

export const VARIABLE_BUILTINS = wordSet(
  "read readonly export declare typeset local let unset mapfile readarray enable hash",
);

/** Programs among whose arguments no value may appear, by the reason. */
const NEVER: Readonly<Record<string, string>> = {
  "it changes the shell that runs the template": [...REWRITING_BUILTINS, ...VARIABLE_BUILTINS].join(" "),
  "it runs its arguments as shell text":
    "watch parallel su runuser script at batch bind complete compgen entr",
  "the other side runs its arguments as shell text":
    "ssh autossh sshpass mosh rsh dbclient plink telnet ftp lftp sftp pssh pdsh clush",
  "its arguments can set variables that hold commands":
    "make gmake bmake nmake just rake mvn mvnw gradle gradlew ant sbt bazel buck scons waf invoke fab ansible ansible-playbook",
  "its arguments can start commands":
    "vim vi ex view nvim gvim vimdiff rvim emacs emacsclient ed red nano pico micro less more most pg man info gdb lldb dc bc m4 gnuplot octave R maxima gp ghci mail mailx mutt sendmail procmail",
  "its arguments are queries or commands of another language":
    "psql mysql mariadb mongo mongosh redis-cli valkey-cli sqlplus clickhouse clickhouse-client duckdb isql sqlcmd cqlsh influx usql cypher-shell",
  "it starts other programs by its arguments":
    "tmux screen dtach abduco expect socat nc ncat netcat xdg-open open gio start cmd.exe powershell pwsh wsl osascript systemd-run machinectl firejail bwrap proot unshare nsenter chroot strace ltrace perf valgrind crontab nodemon xterm run-parts start-stop-daemon capsh setpriv pkexec runcon sg newgrp debugfs",
  "its arguments are program text or can name commands":
    "latex pdflatex xelatex lualatex tex pdftex luatex gs ghostscript convert magick mogrify identify composite montage import display",
};

/** By the names of the programs that a rule is for. */
const RULES: Readonly<Record<string, ProgramRule>> = {
  [SHELLS]: interpreter({ flags: words("-e -u -x -eu -ex -eux -f -v -n") }),
  "tclsh wish guile julia elixir escript scala groovy clojure bb sbcl clisp racket runghc runhaskell ocaml swipl jruby pypy jython qjs ts-node esno crystal zx kotlin jshell raku hy janet fennel Rscript electron":
    interpreter(),
  python: interpreter({
    code: ["-c"],
    data: data("-W -X"),
    flags: words("-B -d -E -i -I -O -OO -q -s -S -u -v -x -b -P -m"),
    neverAfter: words("timeit pdb cProfile profile trace runpy code doctest"),
    dataAfterCode: true,
  }),
  "node nodejs tsx": interpreter({
    code: words("-e --eval -p --print -pe"),
    loads: words("-r --require --import --loader --experimental-loader -C --env-file"),
    flags: words("--no-warnings --trace-warnings --experimental-strip-types --enable-source-maps"),
  }),
  "perl ruby": interpreter({
    code: words("-e -E"),
    loads: words("-M -m -I -r -x -C -n -p -i"),
    flags: words("-w -W -T -t -c -s -v"),
  }),
  php: interpreter({ code: words("-r -B -R -E -F"), loads: words("-d -c -z -S -t"), flags: words("-n -q") }),
  "lua luajit": interpreter({ code: ["-e"], loads: ["-l"], flags: words("-i -v -W -E") }),
  java: interpreter({
    code: [],
    loads: words("-cp -classpath --class-path -javaagent -agentlib -agentpath -m --module -p --module-path"),
    flags: ["-jar"],
  }),
  "awk gawk mawk nawk original-awk goawk": {
    operand: "code",
    readsCode: true,
    dataAfterCode: true,
    code: words("-f -e -E --file --source --exec"),
    loads: words("-i -l -W -D -d -p -o --include --load"),
    data: data("-F -v --field-separator --assign"),
    flags: words("-O -s -n -r -S -t -c -P --posix --re-interval --sandbox --csv"),
  },
  "sed gsed ssed": {
    operand: "code",
    permutes: true,
    dataAfterCode: true,
    code: words("-e -f --expression --file"),
    data: data("-l --line-length"),
    flags: words(
      "-n -E -r -i -s -u -z -nE -En -nr -ni --quiet --silent --regexp-extended --in-place --separate --null-data --sandbox --posix",
    ),
  },
  "jq gojq jaq yq xq tomlq fx mlr dasel jp": {
    operand: "code",
    permutes: true,
    dataAfterCode: true,
    neverAfter: words("eval e eval-all ea"),
    code: words("-f -e --from-file --expression"),
    loads: words("-L --library-path --split-exp"),
    data: {
      ...data("--indent --output-format --input-format -o -p"),
      ...data("--arg --argjson --slurpfile --rawfile --argfile", 2),
    },
    flags: words(
      "-r -c -n -s -S -R -j -a -C -M -rc -cr -sr -rs -nr -rn -P --raw-output --compact-output --null-input --slurp --sort-keys --raw-input --tab --exit-status --args --jsonargs",
    ),
  },
  sqlite3: {
    operand: "code",
    skip: 1,
    readsCode: true,
    loads: words("-cmd -init -f"),
    flags: words("-json -csv -readonly -header -batch -line -list -column -html -bail"),
  },
  "nohup setsid time builtin fakeroot unbuffer rlwrap busybox toybox": { operand: "command" },
  env: {
    operand: "command",
    assignments: true,
    loads: words("-S --split-string -vS"),
    data: data("-u --unset -C --chdir"),
    flags: words("-i - -0 -v --ignore-environment --null --debug"),
  },
  sudo: {
    operand: "command",
    assignments: true,
    loads: words("-s -i -e --shell --login --edit"),
    data: data("-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir"),
    flags: words("-n -E -H -k -K -S -b -A -B --non-interactive --preserve-env --set-home"),
  },
  doas: { operand: "command", loads: ["-s"], data: data("-u -C"), flags: words("-n -L") },
  "xargs gxargs": {
    operand: "command",
    data: data(
      "-I -n -P -L -d -E -a -s --max-args --max-procs --max-lines --delimiter --arg-file --replace --max-chars --eof",
    ),
    flags: words("-0 -r -t -x -p -o -0r -r0 -0t --null --no-run-if-empty --verbose --exit"),
  },
  "timeout gtimeout": {
    operand: "command",
    skip: 1,
    data: data("-s -k --signal --kill-after"),
    flags: words("-v -f --foreground --preserve-status --verbose"),
  },
  nice: { operand: "command", data: data("-n --adjustment") },
  ionice: {
    operand: "command",
    data: data("-c -n --class --classdata"),
    flags: words("-t --ignore"),
  },
  "chrt taskset": { operand: "command", skip: 1, flags: words("-b -f -i -o -r -c -a") },
  stdbuf: { operand: "command", data: data("-i -o -e --input --output --error") },
  flock: {
    operand: "command",
    skip: 1,
    loads: words("-c --command"),
    data: data("-w -E --timeout --wait"),
    flags: words("-n -x -s -e -u -o -F --nonblock --exclusive --shared"),
  },
  exec: { operand: "command", data: data("-a"), flags: words("-c -l") },
  command: { operand: "command", flags: words("-p -v -V") },
  "npx bunx uvx": {
    operand: "command",
    loads: words("-c --call -p --package --node-options --from --with --python"),
    flags: words("-y --yes --no --no-install -q --quiet --bun --silent"),
  },
  "find gfind": { runs: words("-exec -execdir -ok -okdir") },
  "fd fdfind": { runs: words("-x -X --exec --exec-batch") },
  git: {
    operand: "subcommand",
    loads: words(
      "-c -u -x -O --exec-path --config-env --upload-pack --receive-pack --exec --extcmd --tool --open-files-in-pager --config --template --tree-filter --msg-filter --index-filter",
    ),
    data: data("-C --git-dir --work-tree --namespace"),
    flags: words(
      "-p -P --paginate --no-pager --bare --no-replace-objects --literal-pathspecs --no-optional-locks",
    ),
    neverAfter: words(
      "config bisect filter-branch filter-repo difftool mergetool credential remote-ext shell daemon instaweb web--browse send-email submodule hook upload-pack receive-pack upload-archive fast-import http-backend cvsserver p4 svn citool gui",
    ),
  },
  "docker podman nerdctl": runner("", "run exec create compose"),
  "kubectl oc lxc incus": runner("", "exec run debug attach shell console plugin edit"),
  "npm pnpm yarn bun corepack deno": runner(
    "exec x dlx",
    "run run-script test t tst start stop restart eval repl task explore set config",
  ),
  "uv poetry pdm hatch rye pipenv conda mise asdf rbenv pyenv direnv bundle pipx op doppler aws-vault chamber dotenvx":
    runner("exec x run", "shell console tool"),
  "cargo go dotnet swift stack cabal mix rails nix flatpak snap vagrant heroku fly multipass limactl distrobox toolbox adb ip":
    runner("", "run exec eval repl runner console generate tool shell develop ssh enter netns script tmp"),
  "gh glab": runner("", "alias extension codespace config"),
  "tar gtar bsdtar": {
    ...loads(
      "-I -F -T --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script --rsh-command --rmt-command --files-from",
    ),
    bundleFirst: true,
  },
  rsync: loads("-e -M --rsh --rsync-path --remote-option"),
  scp: loads("-S -o -F -J -D"),
  "ssh-keygen": loads("-D -w"),
  "ssh-add": loads("-s -S"),
  curl: loads("-K --config --engine"),
  wget: loads("-e --execute --use-askpass --config"),
  ack: loads("--output --pager --ackrc"),
  rg: loads("--pre --hostname-bin"),
  split: loads("--filter"),
  zip: loads("-TT --unzip-command"),
  printf: loads("-v"),
  test: loads("-v -R"),
  "[": loads("-v -R"),
  cmake: loads("-P -C -E -D -G -T"),
  "gcc cc g++ c++ clang clang++": loads("-wrapper -B -specs -fplugin -Xclang"),
  nmap: loads("--script --script-args --script-args-file --datadir"),
  tcpdump: loads("-z"),
  "apt apt-get": loads("-o -c --option --config-file"),
  rpm: loads("-E -D --eval --pipe --define --macros --load"),
  hg: loads("-R -e --config --config-file --repository --ssh --remotecmd"),
  svn: loads("--config-option --editor-cmd --diff-cmd --diff3-cmd"),
  openssl: loads("-engine -provider -provider-path -config"),
  gpg: loads("--exec-path --photo-viewer --options --agent-program --dirmngr-program"),
};

const TABLE: ReadonlyMap<string, ProgramRule> = new Map(
  [
    ...Object.entries(NEVER).map(([never, names]): [string, ProgramRule] => [names, { never }]),
    ...Object.entries(RULES),
  ].flatMap(([names, rule]) => eachWord(names, rule)),
);

/** `python3.12`, `lua5.4` and `/usr/bin/awk` are the same programs under other names. */
export function ruleFor(program: string): ProgramRule | undefined {
  const name = program.replace(/\.(exe|cmd|bat)$/i, "");
  const plain = name.replace(/[-_]?\d[\d.]*$/, "");
  return [program, name, plain, plain.toLowerCase()]
    .map((key) => TABLE.get(key))
    .find((rule) => rule !== undefined);
}

export function isShell(program: string): boolean {
  return words(SHELLS).includes(program.replace(/[-_]?\d[\d.]*$/, ""));
}

const COMMAND_SEGMENT =
  /^(exec|execute|command|cmd|shell|eval|pager|editor|rsh|askpass|hooks?|preload|plugin|script|program|interpreter|preprocessor)$/;

/** A long option whose name says that it takes a command (`--pager`, `--to-command`). */
export function namesCommand(option: string): boolean {
  if (!option.startsWith("--") || option.startsWith("--no-")) return false;
  return option
    .slice(2)
    .toLowerCase()
    .split("-")
    .some((segment) => COMMAND_SEGMENT.test(segment));
}
