/** Tells "the password is hunter2" from "the password is required". */

import { wordSet } from "../../core/text/words.ts";
import { looksRandom } from "./looks-random.ts";
import { isMarked } from "./mark.ts";
import { isReference } from "./value-look.ts";

export interface Saying {
  readonly kind: string;
  readonly quoted: boolean;
  /** What stands before the name. */
  readonly before: string;
  /** The value ends its sentence or line. */
  readonly ends: boolean;
}

export function isSaidSecret(value: string, { kind, quoted, before, ends }: Saying): boolean {
  if (value.length < 4 || isMarked(value) || isReference(value) || /^[$<{[(]/.test(value)) return false;
  if (kind === "pin" || kind === "code") return /^\d{4,8}$/.test(value);
  if (kind === "ssn") return /^\d{3}-?\d{2}-?\d{4}$/.test(value);
  if (kind !== "password") return looksRandom(value);
  if (common.has(value.toLowerCase())) return false;
  if (quoted || (/\d/.test(value) && /\p{L}/u.test(value)) || /^\d{4,}$/.test(value))
    return !technical.test(value);
  if (/\p{L}[!@#$%^&*?~]|[!@#$%^&*?~]\p{L}/u.test(value)) return true;
  return ends && possessive.test(before) && /^\p{L}{4,40}$/u.test(value) && !describing.test(value);
}

/** What is said about a password, in words that do not end like most of them. */
const common = wordSet(
  "required optional needed invalid valid incorrect correct wrong missing empty blank null undefined none unset unknown weak " +
    "strong short long expired changed here there below above yours public private safe same different true false fine also " +
    "never always only just still then what when where that this your with from into secret plain hashed clear text string " +
    "strings erforderlich ungültig falsch leer nicht richtig korrekt requise requis incorrecto correcta incorrecta vacía obligatoria",
);
const describing =
  /(?:ed|ing|able|ible|ary|ent|ant|ory|ous|ive|less|ful|ly|lich|bar|known|given|kept|sent|shown|lost|right|great|enough)$/i;
const technical =
  /^(?:sha|md|base|utf|bcrypt|argon|aes|pbkdf|scrypt|rfc|x)-?\d|^\d+(?:-|ch|by)|^v?\d+(?:\.\d+)+$/i;
const possessive =
  /(?:^|\W)(?:my|the|your|our|his|her|their|new|old|current|root|admin|user|temporary|das|mein|dein|ihr|la|mi|tu|su|le|mon|votre|ton|il|tua|a|o|minha|sua)\s(?:\w{1,16}\s)?$/i;
