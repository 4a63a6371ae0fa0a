/** Cuts a text that is too long for a message; the sign for what is left out counts. */

export function cutText(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
