// Draws docs/pictures/*.svg from what the real commands print: a blocked call, and a server with a call that waits for a person.
// `npm run build && node scripts/write-pictures.mjs`

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const pictures = fileURLToPath(new URL("../docs/pictures", import.meta.url));
const home = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-pictures-")));
const project = join(home, "my-project");
const bin = join(home, "bin");
const where = { cwd: project, env: { PATH: `${bin}:${process.env.PATH}`, HOME: home } };
const running = [];

mkdirSync(project);
mkdirSync(bin);
// As a reader has it who has installed it: what is printed then names the command by its name.
symlinkSync(cli, join(bin, "toolgate"));
mkdirSync(pictures, { recursive: true });
try {
  draw("blocked-call", "toolgate blocks a forced push", blockedCall());
  draw("waiting-call", "A call waits for an approval", await waitingCall());
} finally {
  for (const child of running) await end(child);
  rmSync(home, { recursive: true, force: true });
}

function blockedCall() {
  return [
    "$ toolgate init --user",
    toolgate(["init", "--user"]).split("\n")[0],
    "",
    "$ toolgate check Bash 'git -C . push --force'",
    toolgate(["check", "Bash", "git -C . push --force"], 2).trimEnd(),
  ];
}

async function waitingCall() {
  const server = start(["serve", "--port", "0"]);
  const said = await until(server, "Ctrl-C ends it.");
  const call = ["tools", "call", "shell.exec", JSON.stringify({ command: "npm publish" })];
  await until(start([...call, "--enable-tool-categories", "shell", "--wait", "1m"]), "\n");
  const [, port] = /127\.0\.0\.1:(\d+)/.exec(said) ?? [];
  return [
    "$ toolgate serve",
    // The code is good for one login; here it would only look like a secret.
    said
      .replaceAll(`:${port}`, ":4655")
      .replace(/#k=[\w-]+/, "#k=…")
      .trimEnd(),
    "",
    "$ toolgate approvals          # in another terminal",
    toolgate(["approvals"]).trimEnd(),
  ];
}

/** What a command prints, on both streams. It must end with `code`, or there is nothing worth a picture. */
function toolgate(args, code = 0) {
  const options = { ...where, input: "", encoding: "utf8" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], options);
  if (status !== code)
    throw new Error(`toolgate ${args.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
  return stdout + stderr;
}

function start(args) {
  const child = spawn(process.execPath, [cli, ...args], { ...where, stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  return child;
}

/** What it has printed by the time that it has printed `text`. */
function until(child, text) {
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (chunk) => {
      said += chunk;
      if (said.includes(text)) resolve(said);
    };
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    child.once("exit", () => reject(new Error(`It ended before it said ${JSON.stringify(text)}:\n${said}`)));
  });
}

async function end(child) {
  child.removeAllListeners("exit");
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

/** As a terminal of 108 columns shows it. */
function draw(name, title, texts) {
  const columns = 108;
  const [width, height] = [8, 20];
  const lines = texts
    .flatMap((text) => text.split("\n"))
    .map((line) => line.replaceAll(home, "~"))
    .flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, "gu")) ?? [""]);
  const shown = lines.map((line, index) => {
    const colour = line.startsWith("$ ") ? "#7ee787" : "#e6edf3";
    return `  <text x="16" y="${30 + index * height}" fill="${colour}" xml:space="preserve">${escaped(line)}</text>`;
  });
  const [wide, high] = [columns * width + 32, lines.length * height + 36];
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}" role="img">`,
    `  <title>${escaped(title)}</title>`,
    `  <rect width="${wide}" height="${high}" rx="8" fill="#0d1117"/>`,
    `  <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">`,
    ...shown.map((line) => `  ${line}`),
    "  </g>",
    "</svg>",
    "",
  ];
  writeFileSync(join(pictures, `${name}.svg`), svg.join("\n"));
  console.log(`docs/pictures/${name}.svg`);
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
