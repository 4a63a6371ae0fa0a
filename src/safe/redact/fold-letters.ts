/** Writes letters without their marks: `contraseña`, `CONTRASEN\u0303A` and `contrasena` are one word. */

export function fold(text: string): string {
  if (!beyondAscii.test(text)) return text;
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[\u0142\u0141]/g, "l")
    .replace(/\u0131/g, "i");
}

const beyondAscii = /[^\0-\x7f]/;
