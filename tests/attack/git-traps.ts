/** Repositories that try to run a program when git only looks at them: each way git has to name one. */
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { git } from "../unit/sources/builtin/git/git-gate.ts";

export interface World {
  /** Outside of the workspace. */
  readonly base: string;
  readonly root: string;
  /** The file that must not appear. */
  readonly pwned: string;
  /** A program that makes it appear, and passes its input on. */
  readonly trap: string;
  /** The same without reading, for those that would be waited for. */
  readonly quiet: string;
}

export interface Trap {
  set(world: World): void;
  /** With plain git these spring the trap, which shows that it is one. Not given: only other versions of git would. */
  readonly plain?: readonly (readonly string[])[];
  /** The tools refuse such a repository altogether. */
  readonly refused?: string;
  /** What the tools are given as path besides. */
  readonly path?: string;
}

/** A first commit, then a change in the work tree of the same size, something staged, something new. */
export function makeWorld(base: string): World {
  const root = join(base, "root");
  mkdirSync(root);
  const world = {
    base,
    root,
    pwned: join(base, "PWNED"),
    trap: join(base, "trap.sh"),
    quiet: join(base, "quiet.sh"),
  };
  writeFileSync(world.quiet, `#!/bin/sh\ntouch '${world.pwned}'\nexit 1\n`, { mode: 0o755 });
  writeFileSync(world.trap, `#!/bin/sh\ntouch '${world.pwned}'\ncat 2>/dev/null\nexit 0\n`, { mode: 0o755 });
  git(root, "init", "-q");
  put(world, "f.txt", "one\n");
  put(world, "g.txt", "one\n");
  put(world, "sub/h.txt", "one\n");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "first");
  put(world, "g.txt", "two\n");
  git(root, "commit", "-qam", "second");
  return world;
}

/** Same size, so that only the contents tell; done after the trap is set, which must not spring here. */
export function makeChanges(world: World): void {
  put(world, "f.txt", "ONE\n");
  put(world, "g.txt", "TWO\n");
  const older = git(world.root, "rev-parse", "HEAD~1:g.txt").trim();
  const off = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=",
    "filter.t.clean=",
    "filter.t.process=",
    "filter.t.required=false",
  ];
  const stage = ["update-index", "--add", "--cacheinfo", `100644,${older},g.txt`];
  git(world.root, ...off.flatMap((setting) => ["-c", setting]), ...stage);
  put(world, "new.txt", "new\n");
}

export function put({ root }: Pick<World, "root">, path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), mode);
}

export function config({ root }: World, text: string): void {
  writeFileSync(join(root, ".git/config"), `${readFileSync(join(root, ".git/config"), "utf8")}\n${text}\n`);
}

const status = ["status"];
const diff = ["diff"];
const commitAll = ["commit", "-qam", "x"];

function filterTrap(name: string, key: "clean" | "smudge" | "process" = "clean"): Trap {
  return {
    set: (world) => {
      put(world, ".gitattributes", `*.txt filter=${name}\n`);
      const required = key === "smudge" ? "" : "\n\trequired = true";
      config(world, `[filter "${name}"]\n\t${key} = ${world.trap}${required}`);
    },
    plain: [key === "clean" ? status : ["checkout", "-f", "HEAD"]],
  };
}

function hookTraps(names: readonly string[]): Record<string, Trap> {
  const live: Record<string, readonly (readonly string[])[]> = {
    "post-index-change": [["add", "-A"]],
    "post-checkout": [["checkout", "-f", "HEAD"]],
    "pre-auto-gc": [["-c", "gc.auto=1", "gc", "--auto"]],
    "reference-transaction": [["update-ref", "refs/x", "HEAD"]],
  };
  return Object.fromEntries(
    names.map((name) => [
      `the hook ${name}`,
      {
        set: (world: World) => put(world, `.git/hooks/${name}`, `#!/bin/sh\ntouch '${world.pwned}'\n`, 0o755),
        ...(name !== "pre-auto-gc" && { plain: live[name] ?? [commitAll] }),
      } satisfies Trap,
    ]),
  );
}

/** A repository inside, with configuration of its own that no setting for the outer one reaches. */
function innerRepository(world: World, folder: string): void {
  mkdirSync(join(world.root, folder));
  const inner = { ...world, root: join(world.root, folder) };
  git(inner.root, "init", "-q");
  put(inner, "x.txt", "one\n");
  git(inner.root, "add", "-A");
  git(inner.root, "commit", "-qm", "inner");
  config(
    inner,
    `[core]\n\tfsmonitor = ${world.trap}\n[filter "t"]\n\tclean = ${world.trap}\n[diff]\n\texternal = ${world.trap}`,
  );
  put(inner, ".gitattributes", "* filter=t\n");
  put(inner, "x.txt", "ONE\n");
}

function missingObject(world: World, remote: string): void {
  const id = git(world.root, "rev-parse", "HEAD~1:g.txt").trim();
  // f.txt of the first commit has the same contents; neither is needed by the last one.
  git(world.root, "rm", "-q", "--cached", "f.txt", "sub/h.txt");
  git(world.root, "commit", "-qm", "third");
  rmSync(join(world.root, ".git/objects", id.slice(0, 2), id.slice(2)));
  config(
    world,
    `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = evil\n[remote "evil"]\n\tpromisor = true\n\tfetch = +refs/heads/*:refs/remotes/evil/*\n${remote}\n[protocol]\n\tallow = always\n[protocol "ext"]\n\tallow = always`,
  );
}

const lazyFetch = [["diff", "HEAD~2", "HEAD~1"]];

export const traps: Readonly<Record<string, Trap>> = {
  "a file system monitor": {
    set: (world) => config(world, `[core]\n\tfsmonitor = ${world.trap}`),
    plain: [status],
  },
  ...hookTraps([
    "post-index-change",
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "reference-transaction",
    "post-checkout",
    "pre-auto-gc",
  ]),
  "hooks in the work tree": {
    set: (world) => {
      config(world, "[core]\n\thooksPath = hooks");
      for (const name of ["post-index-change", "pre-commit", "reference-transaction", "post-checkout"])
        put(world, `hooks/${name}`, `#!/bin/sh\ntouch '${world.pwned}'\n`, 0o755);
    },
    plain: [["add", "-A"]],
  },
  "hooks by configuration": {
    set: (world) =>
      config(
        world,
        ["post-index-change", "pre-commit", "reference-transaction", "post-checkout"]
          .map((event) => `[hook "x.${event}"]\n\tevent = ${event}\n\tcommand = ${world.trap}`)
          .join("\n"),
      ),
  },
  "an external diff": { set: (world) => config(world, `[diff]\n\texternal = ${world.trap}`), plain: [diff] },
  "a diff driver": {
    set: (world) => {
      put(world, ".gitattributes", "*.txt diff=d\n");
      config(world, `[diff "d"]\n\tcommand = ${world.trap}`);
    },
    plain: [diff],
  },
  "a conversion to text": {
    set: (world) => {
      put(world, ".gitattributes", "*.txt diff=d\n");
      config(world, `[diff "d"]\n\ttextconv = ${world.trap}\n\tcachetextconv = true`);
    },
    plain: [diff],
  },
  "a clean filter": filterTrap("t"),
  "a smudge filter": filterTrap("t", "smudge"),
  "a filter process": { ...filterTrap("t", "process"), plain: [status] },
  "a filter with an upper-case name": filterTrap("TT"),
  "a filter with dots in its name": filterTrap("a.b.c"),
  "a filter with a dash in front": filterTrap("-t"),
  "a filter named by code points": filterTrap("t\u00fc\u202e"),
  "a filter without a name": filterTrap(""),
  "a filter with an equals sign": { ...filterTrap("a=b"), refused: "unsafe_repository" },
  "a filter whose name is no text": {
    set: (world) => {
      const name = Buffer.from([0x74, 0xff]);
      writeFileSync(
        join(world.root, ".gitattributes"),
        Buffer.concat([Buffer.from("*.txt filter="), name, Buffer.from("\n")]),
      );
      const file = join(world.root, ".git/config");
      const text = Buffer.from(`"]\n\tclean = ${world.trap}\n`);
      writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.from('[filter "'), name, text]));
    },
    plain: [status],
    refused: "unsafe_repository",
  },
  "a filter in an included file": {
    set: (world) => {
      put(world, ".gitattributes", "*.txt filter=t\n");
      put(world, "more", `[filter "t"]\n\tclean = ${world.trap}\n`);
      config(world, "[include]\n\tpath = ../more");
    },
    plain: [status],
  },
  "a filter in a file included for a branch": {
    set: (world) => {
      put(world, ".gitattributes", "*.txt filter=t\n");
      put(world, "more", `[filter "t"]\n\tclean = ${world.trap}\n`);
      config(world, '[includeIf "onbranch:main"]\n\tpath = ../more');
    },
    plain: [status],
  },
  "a filter in the configuration of the work tree": {
    set: (world) => {
      put(world, ".gitattributes", "*.txt filter=t\n");
      config(world, "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true");
      put(
        world,
        ".git/config.worktree",
        `[filter "t"]\n\tclean = ${world.trap}\n[core]\n\tfsmonitor = ${world.trap}\n`,
      );
    },
    plain: [status],
  },
  "a filter by private attributes": {
    set: (world) => {
      put(world, ".git/info/attributes", "*.txt filter=t\n");
      config(world, `[filter "t"]\n\tclean = ${world.trap}\n\tsmudge = ${world.trap}`);
    },
    plain: [status],
  },
  "a submodule with programs of its own": {
    set: (world) => {
      innerRepository(world, "inner");
      put(world, ".gitmodules", '[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n\tignore = none\n');
      git(world.root, "add", ".gitmodules");
      git(
        world.root,
        "update-index",
        "--add",
        "--cacheinfo",
        `160000,${git(join(world.root, "inner"), "rev-parse", "HEAD").trim()},inner`,
      );
      git(world.root, "commit", "-qm", "with a submodule");
      config(
        world,
        '[submodule "inner"]\n\tactive = true\n\turl = ./inner\n\tignore = none\n[submodule]\n\trecurse = true\n[diff]\n\tsubmodule = diff\n\tignoreSubmodules = none\n[status]\n\tsubmoduleSummary = true',
      );
    },
    plain: [status],
  },
  "a repository in the work tree": {
    set: (world) => innerRepository(world, "inner"),
    plain: [["-C", "inner", "status"]],
    path: "inner",
  },
  "a bare repository in the work tree": {
    set: (world) => {
      git(world.root, "init", "-q", "--bare", "bare");
      const bare = { ...world, root: join(world.root, "bare") };
      put(
        bare,
        "config",
        `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${world.trap}\n`,
      );
      git(world.root, "--git-dir=bare", "--work-tree=.", "-c", "core.fsmonitor=", "add", "f.txt");
    },
    plain: [["-C", "bare", "status"]],
    path: "bare",
  },
  "a .git file that leads to a prepared folder": {
    set: (world) => {
      mkdirSync(join(world.root, "inner"));
      git(world.root, "init", "-q", "--bare", "prepared");
      writeFileSync(
        join(world.root, "prepared/config"),
        `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${world.trap}\n\tworktree = ../inner\n`,
      );
      put(world, "inner/x.txt", "x");
      git(world.root, "--git-dir=prepared", "--work-tree=inner", "-c", "core.fsmonitor=", "add", "-A");
      put(world, "inner/.git", "gitdir: ../prepared\n");
    },
    plain: [["-C", "inner", "status"]],
    path: "inner",
  },
  "signing programs": {
    set: (world) =>
      config(
        world,
        `[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = ${world.trap}\n\tformat = openpgp\n[gpg "openpgp"]\n\tprogram = ${world.trap}\n[tag]\n\tgpgSign = true`,
      ),
    plain: [["commit", "-qam", "x"]],
  },
  "a command that finds a signing key": {
    set: (world) =>
      config(
        world,
        `[commit]\n\tgpgSign = true\n[gpg]\n\tformat = ssh\n[gpg "ssh"]\n\tdefaultKeyCommand = ${world.trap}\n\tprogram = ${world.trap}`,
      ),
    plain: [["commit", "-qam", "x"]],
  },
  "signatures shown in the log": {
    set: (world) => {
      config(
        world,
        `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${world.trap}\n[gpg "openpgp"]\n\tprogram = ${world.trap}`,
      );
      const raw = git(world.root, "cat-file", "commit", "HEAD").replace(
        "\n\n",
        "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n",
      );
      writeFileSync(join(world.base, "raw"), raw);
      const id = git(
        world.root,
        "hash-object",
        "-t",
        "commit",
        "-w",
        "--literally",
        join(world.base, "raw"),
      ).trim();
      git(world.root, "update-ref", "HEAD", id);
    },
    plain: [["log"]],
  },
  "pagers and editors": {
    set: (world) =>
      config(
        world,
        `[core]\n\tpager = ${world.trap}\n\teditor = ${world.trap}\n\taskPass = ${world.trap}\n[pager]\n\tstatus = ${world.trap}\n\tdiff = ${world.trap}\n\tlog = ${world.trap}\n\tconfig = ${world.trap}\n[sequence]\n\teditor = ${world.trap}`,
      ),
    plain: [["-p", "commit", "-a"]],
  },
  "aliases of commands": {
    set: (world) =>
      config(
        world,
        `[alias]\n${["status", "diff", "log", "show", "config", "rev-parse", "commit", "co"].map((name) => `\t${name} = !${world.trap}`).join("\n")}`,
      ),
    plain: [["co"]],
  },
  "a partial clone from a program": {
    set: (world) => missingObject(world, `\turl = ext::${world.quiet}`),
    plain: lazyFetch,
  },
  "a partial clone from a file by a program": {
    set: (world) => missingObject(world, `\turl = ${world.root}\n\tuploadpack = ${world.quiet}`),
    plain: lazyFetch,
  },
  "a partial clone by ssh": {
    set: (world) => missingObject(world, `\turl = ssh://x.invalid/y\n[core]\n\tsshCommand = ${world.quiet}`),
    plain: lazyFetch,
  },
  "a partial clone by a transport of its own": {
    set: (world) => missingObject(world, `\turl = x::y\n\tvcs = x\n[credential]\n\thelper = !${world.trap}`),
  },
  "trailers, merge drivers, mail and more": {
    set: (world) => {
      put(world, ".gitattributes", "*.txt merge=m\n");
      config(
        world,
        `[merge "m"]\n\tdriver = ${world.trap}\n[trailer "x"]\n\tcommand = ${world.trap}\n\tcmd = ${world.trap}\n[credential]\n\thelper = !${world.trap}\n[core]\n\tsshCommand = ${world.trap}\n\tgitProxy = ${world.trap}\n\talternateRefsCommand = ${world.trap}\n[uploadpack]\n\tpackObjectsHook = ${world.trap}\n[interactive]\n\tdiffFilter = ${world.trap}\n[gc]\n\tauto = 1\n[maintenance]\n\tauto = true`,
      );
    },
  },
  "a merge that is done again to show what it changed": {
    set: (world) => {
      put(world, ".gitattributes", "*.txt merge=m\n");
      const { root } = world;
      git(root, "add", "-A");
      git(root, "commit", "-qm", "attributes");
      git(root, "checkout", "-qb", "other");
      put(world, "f.txt", "two\n");
      git(root, "commit", "-qam", "other");
      git(root, "checkout", "-q", "main");
      put(world, "f.txt", "three\n");
      git(root, "commit", "-qam", "here");
      git(root, "merge", "-q", "-s", "ours", "-m", "merged", "other");
      config(world, `[merge "m"]\n\tdriver = ${world.trap}\n[log]\n\tdiffMerges = remerge`);
    },
    plain: [
      ["show", "-m", "HEAD"],
      ["log", "-p", "-m", "-1"],
    ],
  },
  "a link to the configuration": {
    set: (world) => {
      put(
        world,
        "cfg",
        `${readFileSync(join(world.root, ".git/config"), "utf8")}[core]\n\tfsmonitor = ${world.trap}\n`,
      );
      rmSync(join(world.root, ".git/config"));
      symlinkSync("../cfg", join(world.root, ".git/config"));
    },
    plain: [status],
  },
};
