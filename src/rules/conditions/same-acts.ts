/**
 * Other names of the same act, for rules that mean to stop it: `npm rm` is `npm uninstall`, `docker-compose down` is
 * `docker compose down`, `python -m pip` is `pip`. Rule and command are both brought to the name on the right. A
 * program that does the like in its own way (`podman`, `pnpm`) is another program, and not listed.
 */
import { words } from "../../core/text/words.ts";
import type { CommandForm } from "./command-forms.ts";

/** Programs that are another one, or a part of it. */
const programs: ReadonlyMap<string, readonly string[]> = table({
  "docker-compose": "docker compose",
  "git-push git-send-pack git-http-push": "git push",
  nodejs: "node",
  gtar: "tar",
  gmake: "make",
});

/** Subcommands by program: what they are called beside the name on the right. */
const subcommands: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> = new Map(
  Object.entries({
    git: table({ "send-pack http-push": "push", "subtree,push lfs,push": "push" }),
    npm: table({
      "add i in ins inst insta instal isnt isnta isntal isntall": "install",
      "remove rm r un unlink": "uninstall",
      "run-script rum urn": "run",
      "clean-install install-clean isntall-clean ic": "ci",
      "up u upgrade udpate": "update",
      x: "exec",
      "t tst": "test",
      "create innit": "init",
      c: "config",
      author: "owner",
      "list la ll": "ls",
      "info show v": "view",
      ln: "link",
      rb: "rebuild",
      it: "install-test",
      "cit sit clean-install-test": "install-ci-test",
      "dist-tags": "dist-tag",
      "add-user": "adduser",
    }),
    pnpm: table({
      "rm un uninstall": "remove",
      i: "install",
      "up upgrade": "update",
      "run-script": "run",
      t: "test",
    }),
    yarn: table({ "npm,publish": "publish" }),
    bun: table({ "rm uninstall": "remove", "i a": "install" }),
    docker: table({
      "container,rm container,remove": "rm",
      "container,run": "run",
      "container,exec": "exec",
      "container,stop": "stop",
      "container,kill": "kill",
      "image,rm image,remove": "rmi",
      "image,push": "push",
      "image,pull": "pull",
      "image,build builder,build buildx,build": "build",
    }),
    helm: table({ "delete del un": "uninstall" }),
    cargo: table({ b: "build", r: "run", t: "test", rm: "remove" }),
    brew: table({ "rm remove": "uninstall" }),
  }),
);

/** What npm takes the beginning of: `npm publ` publishes. */
const npmCommands = words(
  "access adduser audit bugs cache ci completion config dedupe deprecate diff dist-tag docs doctor edit exec explain explore find-dupes fund " +
    "get help help-search init install install-ci-test install-test link login logout ls org outdated owner pack ping pkg prefix profile prune " +
    "publish query rebuild repo restart root run sbom search set shrinkwrap star stars start stop team test token uninstall unpublish unstar " +
    "update version view whoami",
);

/** Undefined: it has no other name. */
export function sameAct({ argv, dynamic }: CommandForm): CommandForm | undefined {
  const [program = ""] = argv;
  const asModule = behindModule(argv, dynamic);
  if (asModule !== undefined) return sameAct(asModule) ?? asModule;
  const other = /^pip[\d.]+$/.test(program) ? ["pip"] : programs.get(program);
  const form = other === undefined ? undefined : replaced({ argv, dynamic }, 1, other);
  return renamed(form ?? { argv, dynamic }) ?? form;
}

/** `yarn npm publish` is `npm publish` as well: a rule may name either. */
export function passedOn({ argv, dynamic }: CommandForm): CommandForm | undefined {
  return argv[0] === "yarn" && argv[1] === "npm" ? replaced({ argv, dynamic }, 2, ["npm"]) : undefined;
}

function renamed(form: CommandForm): CommandForm | undefined {
  const [program = "", word = "", next = ""] = form.argv;
  if (form.dynamic.includes(1) || word === "") return undefined;
  const known = subcommands.get(program);
  if (known === undefined) return undefined;
  const two = form.dynamic.includes(2) ? undefined : known.get(`${word},${next}`);
  if (two !== undefined) return replaced(form, 3, [program, ...two]);
  const one = known.get(word) ?? (program === "npm" ? unabbreviated(word) : undefined);
  return one === undefined ? undefined : replaced(form, 2, [program, ...one]);
}

function unabbreviated(word: string): readonly string[] | undefined {
  if (npmCommands.includes(word)) return undefined;
  const meant = npmCommands.filter((one) => one.startsWith(word));
  return meant.length === 1 ? meant : undefined;
}

/** `python3 -m pip install x` */
function behindModule(argv: readonly string[], dynamic: readonly number[]): CommandForm | undefined {
  if (!/^(?:python|pypy)[\d.]*$|^py$/.test(argv[0] ?? "")) return undefined;
  const at = argv.findIndex((word, index) => index > 0 && (word === "-m" || !word.startsWith("-")));
  const isModule = argv[at] === "-m" && argv[at + 1] !== undefined && !dynamic.some((one) => one <= at + 1);
  return isModule ? replaced({ argv, dynamic }, at + 2, [argv[at + 1] ?? ""]) : undefined;
}

/** Puts other words in the place of the first so many. */
function replaced({ argv, dynamic }: CommandForm, count: number, by: readonly string[]): CommandForm {
  const later = dynamic.filter((index) => index >= count).map((index) => index - count + by.length);
  return { argv: [...by, ...argv.slice(count)], dynamic: later };
}

function table(names: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(names).flatMap(([others, name]) =>
      words(others).map((other): [string, readonly string[]] => [other, words(name)]),
    ),
  );
}
