// The places where a secret stands: env files, JSON, YAML, URLs, logs, code.

/** `name`: what it is called there; `secret`: raw, as the texts of these places hold it. */
export const carriers = {
  env: ({ name, secret }) => `# production\nPORT=8080\n${name}=${secret}\nLOG_LEVEL=info\n`,
  "env, quoted": ({ name, secret }) => `export ${name}="${secret}"\nexport NODE_ENV=production\n`,
  "env, single quotes": ({ name, secret }) => `${name}='${secret}' npm start`,
  JSON: ({ name, secret }) => JSON.stringify({ port: 1, [name]: secret, debug: false }),
  "JSON, indented": ({ name, secret }) => JSON.stringify({ app: { [name]: secret } }, null, 2),
  YAML: ({ name, secret }) => `app:\n  port: 8080\n  ${name}: ${secret}\n  debug: false\n`,
  "YAML, quoted": ({ name, secret }) => `env:\n  - name: X\n  - ${name}: "${secret}"\n`,
  URL: ({ name, secret }) => `https://api.intern.net/v1/items?page=2&${name}=${secret}`,
  log: ({ name, secret }) => `2026-03-01T10:11:12.345Z INFO [app] started with ${name}=${secret} in 12 ms`,
  "log, said": ({ name, secret }) => `[warn] request failed (401) using ${name} = "${secret}", retrying`,
  "log, JSON": ({ name, secret }) => `{"level":30,"time":1750000000000,"msg":"config","${name}":"${secret}"}`,
  JavaScript: ({ name, secret }) => `const client = connect({\n  ${name}: "${secret}",\n  retries: 3,\n});\n`,
  TypeScript: ({ name, secret }) => `export const ${name}: string = '${secret}';\n`,
  Python: ({ name, secret }) => `import os\n\n${name} = "${secret}"\nos.environ["PORT"] = "1"\n`,
  Go: ({ name, secret }) => `func main() {\n\t${name} := "${secret}"\n\trun(${name})\n}\n`,
  Ruby: ({ name, secret }) => `config = { "${name}" => "${secret}" }\n`,
  Dockerfile: ({ name, secret }) => `FROM alpine\nENV ${name}=${secret}\nRUN make\n`,
  "shell history": ({ name, secret }) => `cd app\nexport ${name}=${secret}\n./deploy.sh --now\n`,
  Terraform: ({ name, secret }) => `variable "x" {\n  ${name} = "${secret}"\n}\n`,
  properties: ({ name, secret }) => `server.port=8080\n${name}=${secret}\n`,
};

/** Where nothing says what it is; only for what can be told by itself. */
export const bareCarriers = {
  "URL path": ({ secret }) => `GET https://api.intern.net/hooks/?x=${secret} 200 12ms`,
  "list in code": ({ secret }) => `call("a", "${secret}", 12);`,
  "chat log": ({ secret }) => `10:42 bob: here you are: ${secret} (do not share)`,
  "JSON list": ({ secret }) => JSON.stringify(["a", secret, 1]),
  "HTTP header": ({ secret }) => `> X-Custom: ${secret}\r\n> Accept: */*\r\n`,
  Markdown: ({ secret }) => `Use \`${secret}\` for the test system.\n`,
  "diff line": ({ secret }) => `@@ -1 +1 @@\n-x\n+${secret}\n`,
};
