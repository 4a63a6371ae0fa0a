/** JSON as editors write it: with comments and commas at the end. */

export function parseLooseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return JSON.parse(withoutComments(text.replace(/^\uFEFF/, "")));
  }
}

/** One look at each part: a string as it is, a comment as nothing, a comma before a closing bracket as nothing. */
const part = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*[}\]])/g;

function withoutComments(text: string): string {
  return text.replaceAll(part, (found) => (found.startsWith('"') ? found : ""));
}
