/** Programs that run code from arguments or input, pagers, editors: only a named script is not opaque. */

import { eachWord } from "../../core/text/words.ts";
import { isLiteral } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";
import type { KnownCommand } from "../judge-parts.ts";
import { EXECUTE } from "../walk.ts";
import { asksVersion } from "./other-readers.ts";
import { readPathLikeOperands } from "./unknown.ts";

function readInterpreter(use: CommandUse): void {
  if (asksVersion(use)) return;
  use.raise(EXECUTE);
  use.unknownPaths = true;
  readPathLikeOperands(use);
  const first = use.args[1];
  if (
    isLiteral(first) &&
    (/^[^-]/.test(first.text) || first.text === "-m" || first.text === "--test") &&
    !/^\/(?:dev|proc)\//.test(first.text)
  )
    return;
  use.cannotTell(
    `${use.args[0]?.text} runs code from its arguments or its input, and code is not read in advance`,
  );
}

/** A program that starts a shell or runs commands on request. */
function readEditor(use: CommandUse): void {
  if (asksVersion(use)) return;
  use.unknownPaths = true;
  readPathLikeOperands(use);
  use.cannotTell(`${use.args[0]?.text} can run other commands, which are not read in advance`);
}

/** Runs code or talks to others as part of its plain use; rules may allow it by name. */
function readNetworkTool(use: CommandUse): void {
  if (asksVersion(use)) return;
  use.raise(EXECUTE);
  use.network = true;
  use.unknownPaths = true;
  readPathLikeOperands(use);
}

export const INTERPRETERS: ReadonlyMap<string, KnownCommand> = new Map<string, KnownCommand>([
  ...eachWord(
    "python python2 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 pypy pypy3 node nodejs deno bun tsx ts-node perl ruby irb php lua luajit " +
      "tclsh wish Rscript R julia octave osascript ghci runghc scala groovy jshell elixir iex erl clojure sbcl guile racket gjs qjs d8 jjs jrunscript pwsh powershell cmd " +
      "psql mysql sqlite3 redis-cli mongosh bc dc m4 ed ex gnuplot",
    readInterpreter,
  ),
  ...eachWord(
    "vi vim nvim view rvim gvim vimdiff nano pico emacs emacsclient micro joe less more most pg man info help apropos pinfo lynx w3m links top htop tig ranger mc",
    readEditor,
  ),
  ...eachWord(
    "curl wget scp sftp rsync nc ncat netcat telnet ftp tftp dig nslookup host ping ping6 traceroute tracepath whois gh glab hub aws az gcloud gsutil kubectl helm terraform docker podman " +
      "npm npx pnpm pnpx yarn bunx pip pip3 pipx uv uvx poetry conda gem bundle cargo rustup go composer brew apt apt-get yum dnf pacman apk snap flatpak nix mvn gradle",
    readNetworkTool,
  ),
]);
