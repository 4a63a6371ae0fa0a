import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { CommandTree } from "../../../../src/core/ports/command.ts";
import { createFindBelow } from "../../../../src/safe/files/find-below.ts";
import { isPlainSource, protectedReason } from "../../../../src/safe/files/inside-root/protected-names.ts";
import { words } from "../../../words.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-below-")));
const outside = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-elsewhere-")));
afterAll(() => {
  rmSync(root, { recursive: true });
  rmSync(outside, { recursive: true });
});
for (const path of words(`
  src/a.ts src/.env keys/server.pem node_modules/x/cert.pem node_modules/.env .git/config prod/data.csv
  state/token
`)) {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), "");
}
mkdirSync(join(root, "links"));
symlinkSync(join(root, "src"), join(root, "links", "inside"));
symlinkSync(outside, join(root, "links", "outside"));

const find = createFindBelow({ statePaths: [join(root, "state")] });
const below = (tree: Partial<CommandTree> = {}, concerns = (_: string) => false) => {
  const { paths, complete } = find({ path: ".", access: "read", ...tree }, root, concerns);
  return { paths: paths.map((path) => path.slice(root.length + 1)).sort(), complete };
};

describe("what lies below a folder that is read as a whole", () => {
  it("is protected files and the gate's own state; packages of others are not looked at", () => {
    expect(below()).toEqual({ paths: ["keys/server.pem", "src/.env", "state"], complete: true });
    expect(below({ path: "src" })).toEqual({ paths: ["src/.env"], complete: true });
    expect(below({ path: join(root, "prod") })).toEqual({ paths: [], complete: true });
  });

  it("is what a rule speaks of", () => {
    expect(below({}, (path) => path === join(root, "prod")).paths).toContain("prod");
    expect(below({ path: "prod" }, (path) => path.endsWith(".csv")).paths).toEqual(["prod/data.csv"]);
  });

  it("leaves out what the program leaves out", () => {
    expect(below({ skipsHidden: true }).paths).toEqual(["keys/server.pem", "state"]);
    expect(below({ without: [".env", "keys", "sta?e"] }).paths).toEqual([]);
    expect(below({ only: ["*.ts"], without: ["state"] }).paths).toEqual([]);
    expect(below({ only: ["*.PEM"], without: ["state"] }).paths).toEqual(["keys/server.pem"]);
  });

  it("does not believe a pattern that it cannot read", () => {
    expect(below({ without: [".en[v]", "src/.env", "*.{pem}"] }).paths).toContain("src/.env");
    expect(below({ without: [".ENV"] }).paths).toContain("src/.env");
    expect(below({ only: ["[a-z.]*"] }).paths).toContain("src/.env");
  });

  it("does not follow links unless the program does, and then says where they lead", () => {
    expect(below({ path: "links" })).toEqual({ paths: [], complete: true });
    const followed = { paths: ["links/inside", "links/outside"], complete: false };
    expect(below({ path: "links", followsLinks: true })).toEqual(followed);
    // Named on the command line, a link is followed by every program.
    expect(below({ path: "links/inside" }).paths).toEqual(["src/.env"]);
  });

  it("is nothing for a file and for what is not there", () => {
    expect(below({ path: "src/a.ts" })).toEqual({ paths: [], complete: true });
    expect(below({ path: "nowhere" })).toEqual({ paths: [], complete: true });
  });

  it("is seen when it appears, also in a folder that was looked at before", () => {
    utimesSync(join(root, "prod"), 1, 1);
    below();
    below();
    writeFileSync(join(root, "prod", "id_rsa"), "");
    expect(below().paths).toContain("prod/id_rsa");
    rmSync(join(root, "prod", "id_rsa"));
    expect(below().paths).not.toContain("prod/id_rsa");
  });

  it("is not complete where there is too much of it", () => {
    const many = join(root, "many");
    mkdirSync(many);
    for (let i = 0; i < 120; i++) writeFileSync(join(many, `${i}.pem`), "");
    expect(below({ path: "many" }).complete).toBe(false);
    rmSync(many, { recursive: true });
  });
});

describe("the quick look at a name", () => {
  it("never overlooks a protected one", () => {
    const stems = words(`
      a id_rsa id_ed25519_sk .env env x.env credentials access_tokens.db kubeconfig .npmrc _netrc git~1 auth
    `);
    const ends = " .ts .js .json .d.ts .md .py .pem .key .bak ~ .pub .old.ts .env .swp .o".split(" ");
    const folders = words("a/b x/gcloud .config/gcloud .config/gh y/.cargo").map((path) => path.split("/"));
    const names = stems.flatMap((stem) => ends.flatMap((end) => [`${stem}${end}`, `x-${stem}${end}`, stem]));
    const quick = names.filter(isPlainSource);
    expect(quick.length).toBeGreaterThan(20);
    for (const name of quick)
      for (const above of folders)
        if (protectedReason(above, "read") === undefined)
          expect([name, protectedReason([...above, name], "read")]).toEqual([name, undefined]);
  });
});
