import { describe, expect, it, onTestFinished } from "vitest";
import { createGate, type Gate, type GateOptions } from "../../../../src/index.ts";
import { createBuiltinTools } from "../../../../src/sources/builtin/builtin-tools.ts";
import { rule } from "../rule.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { callsOf } from "./calls.ts";
import { servePages } from "./web/web-gate.ts";

const moved = (location: string) => ["text/plain", "", 302, { location }] as const;
const approver = { name: "test", ask: () => ({ decision: "approve" as const, scope: "once" as const }) };

/** web.fetch of a gate that asks itself about redirects. */
async function fetching(options: GateOptions) {
  const stateFolder = temporaryFolder("redirect");
  const holder: { gate?: Gate } = {};
  const builtin = createBuiltinTools({
    editing: { stateFolder },
    web: { allowPrivate: true },
    gate: () => holder.gate as Gate,
  });
  const gate = await createGate({
    tools: builtin.tools,
    enable: { enabledCategories: ["web"] },
    approver,
    ...options,
  });
  holder.gate = gate;
  onTestFinished(async () => {
    await gate.close();
    await builtin.close();
  });
  return (url: string) => callsOf(gate).say("WebFetch", { url, prompt: "x" });
}

/** One server that leads to its own pages, and to another. */
async function pages() {
  const other = await servePages({ "/there": moved("/here"), "/here": ["text/plain", "over there"] });
  const base = await servePages({
    "/a": moved("/b"),
    "/b": ["text/plain", "the second page"],
    "/away": moved(`${other}/there`),
    "/secret": ["text/plain", "the secret page"],
    "/to-secret": moved("/secret"),
    "/in-two-steps": moved("/to-secret"),
  });
  return { base, other };
}

const urls = (action: "approve" | "ask" | "deny", value: string, priority = 0) =>
  rule(action, "web.fetch", [["url", "startsWith", value]], { priority });

describe("a redirect", () => {
  it("is followed where the rules approve its target, also on another host", async () => {
    const { base, other } = await pages();
    const fetch = await fetching({ policies: [urls("approve", base), urls("approve", other)] });
    expect(await fetch(`${base}/a`)).toContain("the second page");
    expect(await fetch(`${base}/away`)).toContain("over there");
  });

  it("is not followed where a policy denies its target, be it the first or a later one", async () => {
    const { base } = await pages();
    const fetch = await fetching({ policies: [urls("approve", base), urls("deny", `${base}/secret`, 5)] });
    for (const path of ["to-secret", "in-two-steps"]) {
      const said = await fetch(`${base}/${path}`);
      expect(said).toContain("The rules refuse it");
      expect(said).not.toContain("the secret page");
    }
  });

  it("is not followed where a route blocks its target", async () => {
    const { base } = await pages();
    const fetch = await fetching({
      policies: [urls("approve", base)],
      routes: [{ name: "no", tool: "WebFetch", pattern: "/secret$", message: "Ask for it." }],
    });
    expect(await fetch(`${base}/to-secret`)).toContain("The rules refuse it: Ask for it.");
  });

  it("on the same host is covered by the answer to the call, where nothing else asks about it", async () => {
    const { base } = await pages();
    const fetch = await fetching({});
    expect(await fetch(`${base}/a`)).toContain("the second page");
    expect(await fetch(`${base}/away`)).toContain("another host");
  });

  it("on the same host is not covered where another rule asks about it", async () => {
    const { base } = await pages();
    const fetch = await fetching({ policies: [urls("ask", `${base}/secret`, 5)] });
    expect(await fetch(`${base}/to-secret`)).toContain("A person has to approve it first.");
    expect(await fetch(`${base}/secret`)).toContain("the secret page");
  });
});
