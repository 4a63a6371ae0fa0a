/** A real gate with the browser tools in a real Chromium, and pages on this machine for it to open. */
import { onTestFinished } from "vitest";
import { textOf } from "../../../../../src/core/call/content.ts";
import { createGate, type Gate, type GateOptions } from "../../../../../src/index.ts";
import { createBrowserTools } from "../../../../../src/sources/builtin/browser/browser-tools.ts";
import type { BrowserOptions } from "../../../../../src/sources/builtin/browser/options.ts";
import { portsOfGate } from "../../../../../src/sources/builtin/gate-ports.ts";
import { chromium } from "../../../../chromium.ts";
import { rule } from "../../rule.ts";
import { callsOf } from "../calls.ts";

export const enableBrowser: GateOptions = {
  enable: { enabledCategories: ["browser"] },
  policies: [rule("approve", "browser.*")],
};

const executable = "path" in chromium ? chromium.path : "";

export async function browserGate(options: BrowserOptions = {}, gateOptions: GateOptions = enableBrowser) {
  let gate: Gate | undefined;
  const { mayLoad } = portsOfGate(() => gate as Gate);
  const browser = createBrowserTools({ mayLoad, executable, sandbox: false, ...options });
  const opened = await createGate({ tools: browser.tools, ...gateOptions });
  gate = opened;
  const close = async () => {
    await opened.close();
    await browser.close();
  };
  onTestFinished(close);
  const { call: dispatch, failure, code } = callsOf(opened);
  return {
    gate: opened,
    browser,
    dispatch,
    close,
    failure,
    code,
    /** A call that must succeed: its text, its data and its picture. */
    async answer(tool: string, input: unknown = {}, context: object = {}) {
      const outcome = await dispatch(tool, input, context);
      if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
      const image = outcome.result.content.find((one) => one.type === "image");
      const data = outcome.result.structured as Record<string, unknown>;
      return { text: textOf(outcome.result), data, image };
    },
  };
}
