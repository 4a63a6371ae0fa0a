/** Which line breaks a text uses, and the text with one kind of them. */

/** Old files end lines with carriage returns alone. Beside line feeds such a return is a character. */
export function breaksByReturns(text: string): boolean {
  return text.includes("\r") && !text.includes("\n");
}

/** Every break is "\n". `byReturns`: of the file that the text is, or is for. */
export function singleBreaks(text: string, byReturns = breaksByReturns(text)): string {
  const plain = text.replaceAll("\r\n", "\n");
  return byReturns ? plain.replaceAll("\r", "\n") : plain;
}

export function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
