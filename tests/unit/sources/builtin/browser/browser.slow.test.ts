import { describe, expect, it } from "vitest";
import { chromium } from "../../../../chromium.ts";
import { servePages } from "../web/web-gate.ts";
import { browserGate } from "./browser-gate.ts";

const why = "missing" in chromium ? ` (skipped: ${chromium.missing})` : "";

const form = `<!doctype html><title>A form</title><body><h1>Hello</h1><p>Some   words.</p>
<label>Name <input id="name" value="old"></label><button onclick="done()">Send</button><a href="/next">Next page</a>
<p id="out"></p><div style="height:3000px"></div><p id="end">The end</p>
<script>function done(){document.getElementById("out").textContent="Hi "+document.getElementById("name").value}</script>`;

describe.skipIf("missing" in chromium)(`a page in a real Chromium${why}`, () => {
  it("is opened, read, typed into, clicked, scrolled, looked at and closed", async () => {
    const base = await servePages({
      "/": ["text/html", form],
      "/next": ["text/html", "<title>Next</title>The next page"],
    });
    const { answer, failure } = await browserGate({ allowPrivate: [new URL(base).host] });
    const opened = await answer("browser.open", { url: `${base}/` });
    expect(opened.text).toBe(`[${base}/ "A form"]`);
    const read = await answer("browser.read");
    expect(read.text).toContain("Hello\n\nSome words.");
    const elements = read.data.elements as { ref: string; role: string; name: string }[];
    const ref = (role: string) => elements.find((one) => one.role === role)?.ref;
    await answer("browser.type", { ref: ref("textbox"), text: "Ada" });
    await answer("browser.click", { ref: ref("button") });
    expect((await answer("browser.read", { selector: "#out" })).text).toContain("Hi Ada");
    const picture = await answer("browser.screenshot");
    expect(picture.image).toMatchObject({ type: "image", mimeType: "image/png" });
    await answer("browser.scroll", { direction: "down" });
    const link = await answer("browser.click", { ref: ref("link") });
    expect(link.text).toBe(`[${base}/next "Next"]`);
    expect((await answer("browser.close")).text).toBe("The browser is closed.");
    expect((await failure("browser.read")).code).toBe("no_page");
  });
});
