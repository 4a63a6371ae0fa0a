import { describe, expect, it } from "vitest";
import { imageSizeOf } from "../../../../../src/sources/builtin/filesystem/image-size.ts";
import { chromium } from "../../../../chromium.ts";
import { because } from "../../stopped.ts";
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
    const { answer, code } = await browserGate({ allowPrivate: [new URL(base).host] });
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
    expect(await code("browser.read")).toBe("no_page");
  });

  it("is used by selector, place and keys, and seen as a whole", async () => {
    const base = await servePages({
      "/": ["text/html", form],
      "/gone": ["text/html", "<title>Gone</title>no", 404],
    });
    const { answer, failure, code } = await browserGate({ allowPrivate: [new URL(base).host] });
    await answer("browser.open", { url: `${base}/` });
    await answer("browser.type", { selector: "#name", text: " and more", append: true });
    await answer("browser.type", { key: "Tab" });
    await answer("browser.type", { key: "Enter" });
    expect((await answer("browser.read", { selector: "#out" })).text).toContain("Hi old and more");
    const whole = await answer("browser.screenshot", { fullPage: true });
    const { width, height } =
      imageSizeOf(Buffer.from(String(whole.image?.data), "base64"), "image/png") ?? {};
    expect([width, (height ?? 0) > 3_000]).toEqual([1280, true]);
    const part = await answer("browser.read", { offset: 2, limit: 5 });
    expect(part.data).toMatchObject({ offset: 2, end: 7 });
    expect(part.text).toContain("Read on with offset: 7.");
    expect((await failure("browser.click", { ref: "e9999" })).message).toContain(
      "read it again with browser.read",
    );
    expect(await code("browser.click", { selector: "<<" })).toBe("page_failed");
    const gone = await failure("browser.open", { url: `${base}/gone` });
    expect(gone).toMatchObject(because("http_error", "HTTP 404"));
    expect((await answer("browser.read")).text).toContain("no");
  });

  it("is used by the name and the fields that other agents know, each time with a picture", async () => {
    const page = `<title>Places</title><body style="margin:0"><button style="width:400px;height:200px" onclick="document.title='clicked'">b</button><input style="position:absolute;left:600px;top:100px" oninput="document.title=value"><div style="height:4000px">`;
    const base = await servePages({ "/": ["text/html", page] });
    const { answer } = await browserGate({ allowPrivate: [new URL(base).host] });
    const act = (input: object) => answer("browser_action", input);
    expect((await act({ action: "launch", url: `${base}/` })).image).toMatchObject({ mimeType: "image/png" });
    const clicked = await act({ action: "click", coordinate: "100,50" });
    expect([clicked.data.title, clicked.image?.type]).toEqual(["clicked", "image"]);
    await act({ action: "click", coordinate: "610,110@1280x800" });
    expect((await act({ action: "type", text: "typed" })).data.title).toBe("typed");
    const before = (await act({ action: "screenshot" })).image?.data;
    expect((await act({ action: "scroll_down" })).image?.data).not.toBe(before);
    await act({ action: "scroll_up" });
    expect((await act({ action: "close" })).text).toBe("The browser is closed.");
  });
});
