// secretlint with its recommended rules, as a function from a text to what it finds there.

import { lintSource } from "@secretlint/core";
import { creator } from "@secretlint/secretlint-rule-preset-recommend";

export function createFinder() {
  const id = "@secretlint/secretlint-rule-preset-recommend";
  const options = { config: { rules: [{ id, rule: creator, options: {} }] } };
  return async (file, text) => {
    const ext = /\.\w+$/.exec(file)?.[0] ?? "";
    const { messages } = await lintSource({
      source: { filePath: file, content: text, ext, contentType: "text" },
      options,
    });
    return messages.filter(({ type }) => type === "message");
  };
}
