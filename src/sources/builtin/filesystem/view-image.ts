/** fs.view_image: an image of the workspace, shown to the model. */
import { toolResult } from "../../../core/call/content.ts";
import { failed } from "../../../core/call/tool-answer.ts";
import { judgedFiles, shownPath } from "../../../safe/files/workspace-files.ts";
import { defineBuiltin, pathSynonyms } from "../define-builtin.ts";
import { closed, nonEmpty } from "../input-fields.ts";
import { imageContent, imageFacts, loadImage, maxImageBytes } from "./load-image.ts";

export const viewImage = defineBuiltin("fs.view_image", {
  title: "View an image",
  description: `Shows a PNG, JPEG, GIF, WebP or BMP image of the workspace (up to ${maxImageBytes} bytes) with its width and height.`,
  input: closed(["path"], {
    path: nonEmpty("The image, relative to the working folder or absolute."),
  }),
  synonyms: { path: pathSynonyms },
  adapt: ({ detail: _detail, ...rest }) => rest,
  run: async ({ path }, context) => {
    const { cwd, signal } = context;
    const image = await loadImage(judgedFiles(context, { maxBytes: maxImageBytes }), path, {
      cwd,
      signal,
    });
    if (!("kind" in image)) return failed(image);
    const shown = shownPath(image.absolute, context);
    return toolResult({ content: imageContent(shown, image), structured: imageFacts(shown, image) });
  },
});
