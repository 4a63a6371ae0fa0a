/** An editor, by the client of the protocol's own SDK, and `toolgate acp` as the program that it starts. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Readable, Writable } from "node:stream";
import {
  client,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { onTestFinished } from "vitest";
import { createScriptedModel, type Script } from "../../../../src/testing/index.ts";

const cli = resolve(import.meta.dirname, "../../../../src/cli.ts");

export interface EditorOptions {
  readonly script: Script;
  readonly policies?: string;
  readonly args?: readonly string[];
  /** The folder that the program is started in. Default: the project. */
  readonly startsAt?: "home" | "project";
  /** What the person at the editor answers. */
  readonly permission?: (
    request: RequestPermissionRequest,
  ) => RequestPermissionResponse | Promise<RequestPermissionResponse>;
}

export async function editorWorld(options: EditorOptions) {
  const { script, policies = "", args = [], startsAt = "project", permission } = options;
  const home = realpathSync(mkdtempSync(join(tmpdir(), "acp-editor-")));
  const project = join(home, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  const model = await createScriptedModel({ script });
  const config = join(home, ".config/toolgate/config.yaml");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(
    config,
    `sessions:
  runners:
    model: { type: chat, api: openai, base_url: '${model.url}/v1', model: scripted }
tools: { enabled_categories: [shell, editing] }
${policies}`,
  );
  const children: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of children) child.kill("SIGKILL");
    await model.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  });

  /** One run of `toolgate acp`, and the editor beside it. */
  async function open() {
    const env = { HOME: home, PATH: process.env.PATH ?? "", LANG: "C.UTF-8" };
    const cwd = startsAt === "home" ? home : project;
    const child = spawn(process.execPath, [cli, "acp", ...args], { cwd, env, stdio: "pipe" });
    children.push(child);
    let stderr = "";
    let stdout = "";
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    const updates: SessionUpdate[] = [];
    const asked: RequestPermissionRequest[] = [];
    const connection = client({ name: "editor" })
      .onRequest("session/request_permission", ({ params }) => {
        asked.push(params);
        return permission?.(params) ?? { outcome: { outcome: "selected", optionId: "reject" } };
      })
      .onNotification("session/update", ({ params }) => void updates.push(params.update))
      .connect(ndJsonStream(Writable.toWeb(child.stdin) as never, Readable.toWeb(child.stdout) as never));
    const { agent } = connection;
    const introduced = await agent.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    return {
      ...{ agent, updates, asked, introduced, child },
      stderr: () => stderr,
      stdout: () => stdout,
      prompt: (sessionId: string, text: string) =>
        agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }),
      /** What the agent has said, in one text. */
      said: () =>
        updates
          .map((one) =>
            one.sessionUpdate === "agent_message_chunk" && one.content.type === "text"
              ? one.content.text
              : "",
          )
          .join(""),
      async close() {
        const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)));
        child.stdin.end();
        return ended;
      },
    };
  }
  return { home, project, model, open };
}
