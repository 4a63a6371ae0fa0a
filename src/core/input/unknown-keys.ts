/** Keys that nobody reads: a misspelt key would be a setting that silently does not hold. */
import { closestNames } from "../tool/tool-name.ts";

export interface UnknownKey {
  readonly key: string;
  /** The known key that it looks like. */
  readonly meant: string | undefined;
  /** `did you mean "cancel"?`, or what there is to choose from. */
  readonly instead: string;
}

export function unknownKeys(given: object, known: readonly string[]): UnknownKey[] {
  return Object.keys(given)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const meant = closestNames(key, known, 1)[0];
      const instead = meant === undefined ? `it takes ${known.join(", ")}.` : `did you mean "${meant}"?`;
      return { key, meant, instead };
    });
}
