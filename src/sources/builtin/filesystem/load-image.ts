/** Loads an image that models can see: its type by its bytes, its size from its header, nothing too large. */
import type { Content } from "../../../core/call/content.ts";
import type { Failure } from "../../../core/call/tool-answer.ts";
import { type ImageType, imageTypeOf } from "../../../safe/files/file-kind.ts";
import type { InsideRoot } from "../../../safe/files/inside-root/inside-root.ts";
import { imageSizeOf } from "./image-size.ts";
import type { ReadPlace } from "./read-file.ts";

export interface LoadedImage {
  readonly kind: "image";
  readonly absolute: string;
  readonly type: ImageType;
  readonly size: number;
  readonly sha256: string;
  readonly width?: number;
  readonly height?: number;
  readonly data: string;
}

/** Base64 makes it a third larger; models take 5 MB of that. */
export const maxImageBytes = 3_750_000;

export async function loadImage(
  files: InsideRoot,
  path: string,
  place: ReadPlace,
): Promise<LoadedImage | Failure> {
  const file = await files.read(path, { ...place, maxBytes: maxImageBytes });
  if (!file.ok && file.code === "too_large") {
    const message = `${JSON.stringify(path)} is larger than the ${maxImageBytes} bytes that a model can be shown. Make a smaller copy first.`;
    return { code: "too_large", message };
  }
  if (!file.ok) return file;
  const type = imageTypeOf(file.bytes);
  if (type === undefined) {
    const message = `${JSON.stringify(path)} is not a PNG, JPEG, GIF, WebP or BMP image, whatever its name says. Use fs.read if it is text.`;
    return { code: "not_an_image", message };
  }
  const { absolute, bytes, hash } = file;
  const size = imageSizeOf(bytes, type);
  return {
    kind: "image",
    absolute,
    type,
    size: bytes.length,
    sha256: hash,
    ...size,
    data: bytes.toString("base64"),
  };
}

/** What a model sees, and before it what it is told about it. */
export function imageContent(path: string, image: LoadedImage): Content[] {
  const { type, size, width, height, data } = image;
  const pixels = width === undefined ? "" : `, ${width} x ${height} pixels`;
  return [
    { type: "text", text: `${path}: ${type}${pixels}, ${size} bytes` },
    { type: "image", data, mimeType: type },
  ];
}

export function imageFacts(path: string, { type, size, sha256, width, height }: LoadedImage) {
  return { path, type, size, sha256, ...(width !== undefined && { width, height }) };
}
