/** Fifty sessions at once through a real server: how late clients hear what models say, and what the server needs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { createCliWorld } from "./cli-process.ts";
import { measureLateness, median } from "./machine-lateness.ts";

const sessions = 50;
const model = fileURLToPath(new URL("ticking-model.ts", import.meta.url));

it("fifty sessions are heard while they speak, and the server stays small", async () => {
  const port = await startModel();
  const world = createCliWorld();
  world.configure(`server: { limits: { max_per_minute: 1000000, max_in_flight: 200, max_streams: 200 } }
sessions:
  max_running: 60
  runners:
    ticking: { type: chat, api: anthropic, base_url: "http://127.0.0.1:${port}", model: ticking, key_env: MODEL_KEY }
`);
  const argv = ["serve", "--port", "0", "--json"];
  const { child, url, token, kill } = await world.serve([], world.start(argv, [], { MODEL_KEY: "x" }));
  onTestFinished(async () => {
    await kill();
    world.close();
  });
  const authorization = `Bearer ${token}`;
  using lateness = measureLateness();
  const latencies: number[] = [];
  let mostKb = 0;
  const looking = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    mostKb = Math.max(mostKb, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]));
  }, 200);
  const ends = await Promise.all(
    Array.from({ length: sessions }, async (_, number) => {
      const started = await fetch(`${url}/api/sessions`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ prompt: `go ${number}`, runner: "ticking", mode: "plan", single: true }),
      });
      const { id } = (await started.json()) as { id: string };
      expect(started.status).toBe(201);
      return readUntilEnd(`${url}/api/sessions/${id}/events`, authorization, latencies);
    }),
  );
  clearInterval(looking);
  const at = (share: number) => median(latencies, share);
  console.log(
    `${sessions} sessions, ${latencies.length} words of the model: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms; the server had at most ${Math.round(mostKb / 1024)} MB`,
  );
  expect(ends).toEqual(Array.from({ length: sessions }, () => "completed"));
  expect(latencies.length).toBeGreaterThan(sessions * 100);
  // 100 ms on a machine that does nothing else; this one runs other tests, too.
  expect(at(0.95)).toBeLessThan(3_000 + 50 * lateness.medianMs());
  expect(mostKb / 1024).toBeLessThan(300);
});

async function startModel(): Promise<number> {
  const child = spawn(process.execPath, [model, "60", "20", "2"], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const [line] = await once(child.stdout, "data");
  return Number(String(line));
}

/** Every moment that a delta names, and when it came. */
async function readUntilEnd(url: string, authorization: string, latencies: number[]): Promise<string> {
  const leaving = new AbortController();
  const answer = await fetch(url, { headers: { authorization }, signal: leaving.signal });
  let rest = "";
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const now = Date.now();
    const frames = (rest + chunk).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data === undefined) continue;
      const { text, offset, state, end } = JSON.parse(data);
      if (frame.includes("event: message-delta") && offset !== undefined)
        for (const moment of String(text).split(";").filter(Boolean)) latencies.push(now - Number(moment));
      if (frame.includes("event: session") && state === "ended") {
        leaving.abort();
        return String(end);
      }
    }
  }
  return "the stream ended";
}
