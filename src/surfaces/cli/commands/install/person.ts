/** Who answers the questions of install: the person at the terminal, or nobody. */
import { chooseMany } from "../../terminal/choose-many.ts";
import { confirm } from "../../terminal/confirm.ts";

export interface Person {
  /** Both answer undefined where nobody is there to ask. */
  readonly confirm: typeof confirm;
  readonly choose: typeof chooseMany;
}

export const atTerminal: Person = { confirm, choose: chooseMany };
