/** Results of tools for a model that sees no pictures, or hears of them apart from the result. */
import type { Content, ImageContent } from "../../../core/call/content.ts";

/** Named, so that the model knows that there is more than it can see. */
export function withoutImages(content: readonly Content[]): readonly Content[] {
  return content.map((block) =>
    block.type === "image" ? { type: "text", text: `[image of type ${block.mimeType}, not shown]` } : block,
  );
}

export function imagesOf(content: readonly Content[]): readonly ImageContent[] {
  return content.filter((block) => block.type === "image");
}
