import { describe, expect, it } from "vitest";
import { foldName, protectedReason } from "../../../../../src/safe/files/inside-root/protected-names.ts";
import { words } from "../../../../words.ts";

const reason = (path: string, access: "read" | "write" = "read") =>
  protectedReason(path.split("/").filter(Boolean), access);

const secrets = words(`
  .env .env.local .env.production .envrc .env~ .env.bak .env.example.bak prod.env
  id_rsa id_ed25519 id_ed25519_sk id_rsa.bak .id_rsa.swp id_rsa_work .ssh/config .ssh
  server.pem tls.key store.p12 cert.pfx app.jks vault.kdbx putty.ppk server.pem.old
  .netrc _netrc .npmrc .pypirc .pgpass .my.cnf .git-credentials .vault-token .htpasswd
  .aws/credentials .aws/config .gnupg/x .kube/config .azure/x .config/gcloud/credentials.db .config/gh/hosts.yml
  .docker/config.json .cargo/credentials.toml terraform.tfstate terraform.tfstate.backup etc/shadow
`);
const otherSpellings = words(`
  .ENV .Env.Local .env. .env... .env:stream .env::$DATA .e\u200bnv .en\u00adv \ufeff.env .ｅｎｖ .SSH/x
  .\u017fsh/x .\u212aube/config ID_RSA ENV~1 SSH~1/x .GIT-CREDENTIALS x.PEM
`);
const onlyRead = words(`
  .git/hooks/pre-commit .git/config .git sub/.git/HEAD bare.git/config bare.git/hooks/x .GIT/config
  .g\u200cit/config GIT~1/config .gitconfig .bashrc .zshrc .profile .config/git/config
  .claude/settings.json .claude/settings.local.json .mcp.json toolgate.yaml .config/toolgate/config.yaml
  .config/toolgate/tools/new.json .toolgate/tools/new.json .local/state/toolgate/trust.json
  .codex/config.toml .gemini/settings.json .cursor/mcp.json .vscode/tasks.json .config/systemd/user/x.service
`);
const ordinary = words(`
  src/index.ts .env.example .env.sample .env.template .env.local.example environment.ts env.ts env
  .gitignore .gitattributes .github/workflows/ci.yml id_rsa.pub id_rsa_work.pub keys.ts monkey key.md
  ssh/config aws/client.ts config/gcloud.ts .claude/commands/x.md .vscode/extensions.json credentials.ts
  git~ README.md~ docs/.ssh.md hooks/pre-commit config pem a.keys
`);

describe("protected names", () => {
  it.each(secrets)("hold %s from readers and writers", (name) => {
    expect(reason(`/home/me/work/${name}`)).toEqual(expect.any(String));
    expect(reason(`/home/me/work/${name}`, "write")).toEqual(expect.any(String));
  });

  it.each([...otherSpellings, ".env "])("hold %j, which some file system takes for one of them", (name) => {
    expect(reason(`/w/${name}`)).toEqual(expect.any(String));
  });

  it.each(onlyRead)("hold %s from writers", (name) => {
    expect(reason(`/w/${name}`, "write")).toEqual(expect.any(String));
  });

  it.each(words(".git/config .git/HEAD .bashrc .claude/settings.json toolgate.yaml .vscode/settings.json"))(
    "let %s be read",
    (name) => expect(reason(`/w/${name}`)).toBeUndefined(),
  );

  it.each(ordinary)("let %s be read and written", (name) => {
    expect([name, reason(`/home/me/work/${name}`, "write")]).toEqual([name, undefined]);
  });

  it("fold names as the laxest file system does", () => {
    expect(foldName("\u00c9.TXT")).toBe(foldName("e\u0301.txt"));
    expect(foldName("...")).toBe("...");
  });
});
