/** Takes out invisible characters: a key with one inside works after pasting, and looks like no key. */

/** The same text if there are none. */
export function withoutInvisible(text: string): string {
  return holdsInvisible(text) ? text.replace(all, "") : text;
}

export function holdsInvisible(text: string): boolean {
  if (beyondAscii.test(text) && any.test(text)) return true;
  return (text.includes("\\u") || text.includes("&") || text.includes("%")) && escaped.test(text);
}

/** Soft hyphens, joiners, zero-width blanks, directions, variation selectors, fillers, tags. */
const characters =
  "[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0]|\\udb40[\\udc00-\\udfff]";
/** The same, written out as JSON, HTML and URLs do. */
const escapes =
  "\\\\u(?:00[aA][dD]|200[b-fB-F]|202[a-eA-E]|206[0-9a-fA-F]|[fF][eE][fF][fF])|\\\\u\\{200[b-fB-F]\\}|" +
  "&(?:#8203|#[xX]200[bB]|ZeroWidthSpace|zwnj|zwj|shy);|%[eE]2%80%8[b-fB-F]|%[eE][fF]%[bB]{2}%[bB][fF]";
const beyondAscii = /[^\0-\x7f]/;
const any = new RegExp(characters);
const escaped = new RegExp(escapes);
const all = new RegExp(`${characters}|${escapes}`, "g");
