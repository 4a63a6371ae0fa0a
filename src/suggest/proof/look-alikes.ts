/** Letters of other alphabets that nobody tells from ours. */

const lookAlikes: Readonly<Record<string, string>> = {
  a: "а",
  e: "е",
  o: "о",
  p: "р",
  c: "с",
  i: "і",
  s: "ѕ",
  d: "ԁ",
  g: "ɡ",
  n: "ո",
  m: "м",
  t: "т",
  r: "г",
  u: "υ",
  v: "ν",
  w: "ԝ",
  y: "у",
  l: "ӏ",
  k: "κ",
  j: "ј",
  h: "һ",
  b: "Ь",
};

/** The first letter that has one is changed. */
export function homoglyphs(text: string): string {
  const at = [...text].findIndex((letter) => lookAlikes[letter] !== undefined);
  if (at === -1) return `${text}х`;
  return `${text.slice(0, at)}${lookAlikes[text[at] ?? ""]}${text.slice(at + 1)}`;
}
