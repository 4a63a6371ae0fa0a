/** Takes a picture that a model can be shown: of the window, an element or the page, never too large. */
import type { Locator, Page } from "playwright-core";
import type { ImageContent } from "../../../core/call/content.ts";
import type { Failed } from "../../../core/call/tool-answer.ts";
import { maxImageBytes } from "../filesystem/load-image.ts";
import { viewport } from "./chrome-arguments.ts";
import { withTime } from "./with-time.ts";

export type Picture = { readonly ok: true; readonly content: ImageContent; readonly bytes: number } | Failed;

/** Higher ones no model reads. */
const maxHeight = 8_000;
/** Above this a photograph is in it, which JPEG keeps in a tenth. */
const maxPngBytes = 1_000_000;
const timeout = 15_000;

export async function takePicture(
  page: Page,
  { element, fullPage = false }: { readonly element?: Locator | undefined; readonly fullPage?: boolean } = {},
): Promise<Picture> {
  const shoot = async (
    how: { readonly type: "png" } | { readonly type: "jpeg"; readonly quality: number },
  ) => {
    const options = { ...how, timeout, animations: "disabled" as const };
    if (element !== undefined) return orLate(element.screenshot(options));
    if (!fullPage) return orLate(page.screenshot(options));
    const clip = { x: 0, y: 0, width: viewport.width, height: await heightOf(page) };
    return orLate(page.screenshot({ ...options, fullPage, clip }));
  };
  let mimeType = "image/png";
  let bytes = await shoot({ type: "png" });
  if (bytes.length > maxPngBytes) {
    mimeType = "image/jpeg";
    bytes = await shoot({ type: "jpeg", quality: 70 });
  }
  if (bytes.length > maxImageBytes) {
    const message = `The picture has ${bytes.length} bytes; a model can be shown ${maxImageBytes}. Take one without fullPage, or of an element.`;
    return { ok: false, code: "too_large", message };
  }
  const content = { type: "image", data: bytes.toString("base64"), mimeType } as const;
  return { ok: true, content, bytes: bytes.length };
}

/**
 * Playwright exceeds its own time-out on a page whose script never ends: it still undoes what it changed for the picture, and waits for
 * that without a limit.
 */
async function orLate(picture: Promise<Buffer>): Promise<Buffer> {
  const taken = await withTime(
    picture.catch((error: unknown) => ({ error })),
    undefined,
    timeout + 1_000,
  );
  if (taken === undefined) throw new Error(`Timeout: the page gave no picture within ${timeout / 1_000} s.`);
  if ("error" in taken) throw taken.error;
  return taken;
}

/** The page says it, so it may be anything. */
async function heightOf(page: Page): Promise<number> {
  const asking: Promise<unknown> = page.evaluate("document.documentElement.scrollHeight");
  const said = await withTime(asking, undefined, 2_000);
  const height = typeof said === "number" && Number.isFinite(said) ? Math.round(said) : viewport.height;
  return Math.min(maxHeight, Math.max(viewport.height, height));
}
