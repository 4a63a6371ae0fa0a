/** What a tool's own `validate` may answer, and what its author means by it. */

type Complaint = string | { readonly message: string; readonly path?: string | readonly (string | number)[] };

/** `undefined`, `null`, `true`, an empty list: the input is fine. A text, a list of texts: why it is not. */
export type CheckAnswer =
  | undefined
  | null
  | boolean
  | string
  | readonly Complaint[]
  | { readonly valid: boolean; readonly errors?: string | readonly Complaint[] | null };

export type ReadAnswer =
  | { readonly kind: "fine" }
  | { readonly kind: "refused"; readonly reasons: readonly string[] }
  /** Neither yes nor no, so nothing may pass. */
  | { readonly kind: "mistake" };

const fine: ReadAnswer = { kind: "fine" };
const mistake: ReadAnswer = { kind: "mistake" };

export function readCheckAnswer(answer: unknown): ReadAnswer {
  if (answer === undefined || answer === null || answer === true) return fine;
  if (answer === false) return { kind: "refused", reasons: ["the tool's own check says no"] };
  if (typeof answer === "string" || Array.isArray(answer)) return readComplaints(answer);
  if (typeof answer !== "object") return mistake;
  const { valid, errors, ...more } = answer as { readonly valid?: unknown; readonly errors?: unknown };
  if (typeof valid !== "boolean" || Object.keys(more).length > 0) return mistake;
  const said = errors === undefined || errors === null ? fine : readComplaints(errors);
  // Of two answers that contradict each other the stricter one counts.
  return valid || said.kind !== "fine" ? said : readCheckAnswer(false);
}

function readComplaints(given: unknown): ReadAnswer {
  const list = Array.isArray(given) ? given : [given];
  const reasons = list.map(textOf);
  if (reasons.some((reason) => reason === undefined)) return mistake;
  return reasons.length === 0 ? fine : { kind: "refused", reasons: reasons as string[] };
}

/** An empty text says neither what is wrong nor that nothing is. */
function textOf(complaint: unknown): string | undefined {
  if (typeof complaint === "string") return complaint === "" ? undefined : complaint;
  if (typeof complaint !== "object" || complaint === null) return undefined;
  const { message, path } = complaint as { readonly message?: unknown; readonly path?: unknown };
  if (typeof message !== "string" || message === "") return undefined;
  const place = Array.isArray(path) ? path.join(".") : path;
  return typeof place === "string" && place !== "" ? `${place}: ${message}` : message;
}
