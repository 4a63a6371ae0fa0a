/** Who is asked about a call that an agent runs itself, and who decides where no rule can be sure. */

export const askers = ["auto", "agent", "queue"] as const;
export const doubters = ["auto", "ask", "deny"] as const;

/** Absent: `auto`. */
export interface AskingSettings {
  readonly ask?: "agent" | "queue";
  readonly unsure?: "ask" | "deny";
}

interface Said {
  readonly ask?: (typeof askers)[number] | undefined;
  readonly unsure?: (typeof doubters)[number] | undefined;
}

/** The most trusted file comes first: it says who is asked. About doubt the strictest file decides. */
export function mergeAsking(said: readonly (Said | undefined)[]): AskingSettings | undefined {
  const ask = said.map((one) => one?.ask).find((one) => one !== undefined);
  const unsure = (["deny", "ask"] as const).find((one) => said.some((file) => file?.unsure === one));
  const isChosen = ask !== undefined && ask !== "auto";
  if (!isChosen && unsure === undefined) return undefined;
  return { ...(isChosen && { ask }), ...(unsure !== undefined && { unsure }) };
}
