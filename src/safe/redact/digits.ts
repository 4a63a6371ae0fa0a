/** Numbers that are secrets: cards by their check digit, and what is named a PIN, a card or an SSN. */
import type { Mark } from "./mark.ts";

/** Whether a value has as many digits as what its name promises. */
export function fitsDigits(kind: string, text: string): boolean {
  if (kind === "pin") return /^\d{4,8}$/.test(text);
  if (kind === "ssn") return /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text);
  return /^\d(?:[ -]?\d){11,18}$/.test(text);
}

export function redactCards(text: string, mark: Mark): string {
  if (!mayHoldCard(text)) return text;
  return text.replace(digits, (number) => (isCard(number) ? mark("card-number", number) : number));
}

/** Cards begin with 2 to 6, so no time in milliseconds is looked at. */
export function mayHoldCard(text: string): boolean {
  // The look ahead keeps V8's linear engine away, which is slower here.
  return /(?=[2-6])\d{4}[ -]?\d{4,6}[ -]?\d{4}/.test(text);
}

/**
 * Digits in one run or in the groups that are printed on cards, with a number range of an issuer and the
 * right check digit.
 */
export function isCard(number: string): boolean {
  return grouped.test(number) && issuer.test(number.replace(/\D/g, "")) && hasCheckDigit(number);
}

const digits = /(?<![\w.+-]|\d[ ])\d(?:[ -]?\d){12,18}(?!\w|[.-]\w| \d)/g;
const grouped = /^(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{4,5})$/;
const issuer =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|35\d{14}|6(?:011|4[4-9]\d|5\d\d|2\d\d)\d{12})$/;

/** Luhn's sum. */
function hasCheckDigit(number: string): boolean {
  let sum = 0;
  let double = false;
  for (let index = number.length - 1; index >= 0; index -= 1) {
    const digit = number.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) continue;
    const added = double ? digit * 2 : digit;
    sum += added > 9 ? added - 9 : added;
    double = !double;
  }
  return sum % 10 === 0;
}
