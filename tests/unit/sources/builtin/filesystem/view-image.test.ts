import { describe, expect, it } from "vitest";
import { viewImage } from "../../../../../src/sources/builtin/filesystem/view-image.ts";
import { readingGate } from "../reading-gate.ts";
import { describeRefusals } from "../refusals.ts";
import { bmp, gif, jpeg, png, webp } from "./images.ts";

describeRefusals(viewImage, (path) => ({ path }), { files: { "a.png": png(1, 1) }, path: "a.png" });

describe("fs.view_image", () => {
  it.each([
    ["image/png", png(640, 480)],
    ["image/gif", gif(640, 480)],
    ["image/jpeg", jpeg(640, 480)],
    ["image/webp", webp(640, 480, "VP8X")],
    ["image/webp", webp(640, 480, "VP8 ")],
    ["image/webp", webp(640, 480, "VP8L")],
    ["image/bmp", bmp(640, 480)],
  ])("shows %s by its bytes, with width and height", async (type, bytes) => {
    const { call } = await readingGate(viewImage, { "picture.dat": bytes });
    expect(await call({ path: "picture.dat" })).toMatchObject({
      ok: true,
      value: { path: "picture.dat", type, width: 640, height: 480, size: bytes.length },
      result: {
        content: [
          { type: "text", text: `picture.dat: ${type}, 640 x 480 pixels, ${bytes.length} bytes` },
          { type: "image", mimeType: type, data: bytes.toString("base64") },
        ],
      },
    });
  });

  it("shows an image with a damaged header, without a size", async () => {
    const { data } = await readingGate(viewImage, {
      "cut.png": png(1, 1).subarray(0, 12),
      "cut.jpg": jpeg(1, 1).subarray(0, 9),
    });
    expect(await data({ path: "cut.png" })).not.toHaveProperty("width");
    expect(await data({ path: "cut.jpg" })).not.toHaveProperty("width");
  });

  it.each([
    ["text.png", Buffer.from("not an image\n")],
    ["letters.bmp", Buffer.from("BM is how this text begins, and it goes on for a while.")],
    ["sound.webp", Buffer.from("RIFF\0\0\0\0WAVEfmt ")],
    ["empty.gif", Buffer.alloc(0)],
  ])("refuses %s, which is none", async (path, bytes) => {
    const { failure } = await readingGate(viewImage, { [path]: bytes });
    expect(await failure({ path })).toMatchObject({ code: "not_an_image" });
  });

  it("refuses an image that is too large for a model", async () => {
    const { failure } = await readingGate(viewImage, {
      "big.png": Buffer.concat([png(9, 9), Buffer.alloc(3_750_000)]),
    });
    const { code, message } = await failure({ path: "big.png" });
    expect(code).toBe("too_large");
    expect(message).toContain("smaller copy");
  });
});
