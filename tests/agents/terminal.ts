/** The real client at a terminal: script(1) of util-linux gives it one, and what it shows can be read and answered. */
import { spawn, spawnSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { describe, onTestFinished } from "vitest";
import { createScriptedModel, type Script, type ScriptedModel } from "../../src/testing/index.ts";
import { client, type Workbench } from "./workbench.ts";

export interface TerminalSession {
  readonly model: ScriptedModel;
  /** Waits until the screen has shown it. Blanks do not count: the client moves the cursor instead. */
  shows(text: string): Promise<void>;
  type(keys: string): void;
  /** Everything that was shown, without blanks. */
  screen(): string;
}

export interface TerminalOptions {
  /** Of the client; by itself it would choose the one in which a classifier decides. */
  readonly mode?: string;
  /** Tools that need no approval by the client. */
  readonly allow?: readonly string[];
}

const hasTerminal = /util-linux/.test(String(spawnSync("script", ["--version"]).stdout));

/** Counted skips where the client, or a way to give it a terminal, is not there. */
export const describeTerminal = describe.skipIf(client === undefined || !hasTerminal);

const patienceMs = 60_000;

/** The hook has to be installed. Ended with everything in it when the test ends. */
export async function startAtTerminal(
  bench: Workbench,
  script: Script,
  { mode = "default", allow = [] }: TerminalOptions = {},
): Promise<TerminalSession> {
  const model = await createScriptedModel({ script });
  onTestFinished(() => model.close());
  acceptOnce(bench);
  const options = [`--permission-mode=${mode}`, ...allow.map((tool) => `--allowedTools=${tool}`)];
  const line = [client ?? "claude", ...options, "Do it."].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qfec", `stty cols 200 rows 50; exec ${line}`, "/dev/null"], {
    cwd: bench.project,
    env: { ...bench.env, TERM: "xterm-256color", SHELL: "/bin/bash", ANTHROPIC_BASE_URL: model.url },
    stdio: "pipe",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.on("error", () => {});
  let shown = "";
  let look = () => {};
  const take = (text: string) => {
    shown += text;
    look();
  };
  child.stdout.setEncoding("utf8").on("data", take);
  child.stderr.setEncoding("utf8").on("data", take);
  const screen = () => withoutBlanks(stripVTControlCharacters(shown));
  return {
    model,
    screen,
    type: (keys) => void child.stdin.write(keys),
    shows(text) {
      const wanted = withoutBlanks(text);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`"${text}" was not shown:\n${screen().slice(-3_000)}`)),
          patienceMs,
        );
        look = () => {
          if (!screen().includes(wanted)) return;
          clearTimeout(timer);
          resolve();
        };
        look();
      });
    },
  };
}

/** What a person is asked when the client starts for the first time. */
function acceptOnce(bench: Workbench): void {
  bench.write(".claude/.claude.json", {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: ["dummy"], rejected: [] },
    projects: { [bench.project]: { hasTrustDialogAccepted: true } },
  });
}

/** A long text is broken into lines, each in a frame. */
function withoutBlanks(text: string): string {
  return text.replaceAll(/[\s\p{Cc}│]+/gu, "");
}
