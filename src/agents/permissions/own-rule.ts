/** A permission that a person has given to another program, before a policy is made of it. */
import type { CommandText } from "./command-text.ts";
import type { FileText } from "./file-text.ts";

export type Permit = "allow" | "ask" | "deny";

/** What a permission speaks of. `except`: what another permission of the same file takes out of it. */
export type OwnSubject =
  | { readonly kind: "commands"; readonly text?: CommandText; readonly except?: readonly CommandText[] }
  | {
      readonly kind: "files";
      readonly access: "read" | "edit";
      readonly text: FileText;
      readonly except?: readonly FileText[];
      /** Commands of a shell that touch such files are meant, too. */
      readonly inShell?: boolean;
    }
  | { readonly kind: "outside"; readonly except?: readonly FileText[] }
  | { readonly kind: "hosts"; readonly host: string; readonly below: boolean }
  | { readonly kind: "urls"; readonly source: string; readonly except?: readonly string[] }
  /** Text of a shell's command that is refused wherever it stands, as a regular expression. */
  | { readonly kind: "text"; readonly source: string }
  | {
      readonly kind: "tools";
      readonly names: readonly string[];
      /** Only calls with this value in this field. */
      readonly field?: string;
      readonly value?: string;
    };

export interface OwnRule {
  readonly permit: Permit;
  readonly about: OwnSubject;
  /** As the person wrote it, and where. */
  readonly written: string;
  readonly file: string;
  /** What the person says about it, for the model and for whoever is asked. */
  readonly reason?: string;
  /** Calls of a shell that the person gave as examples. */
  readonly examples?: readonly string[];
  readonly counterexamples?: readonly string[];
}

/** What does not become the very same policy. */
export interface Inexact {
  readonly written: string;
  readonly file: string;
  /** `left`: no policy is made of it. `wider`: it stops more than it did. */
  readonly how: "left" | "wider";
  readonly why: string;
}

export interface OwnPermissions {
  readonly rules: readonly OwnRule[];
  readonly inexact: readonly Inexact[];
}

export type PermissionScope = "user" | "project";

/** Where a program looks for its files. */
export interface PermissionPlace {
  readonly home: string;
  readonly projectDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What was found for one scope. `lookedFor`: every file; `problems`: what cannot be read. */
export interface FoundPermissions extends OwnPermissions {
  readonly files: readonly string[];
  readonly lookedFor: readonly string[];
  readonly problems: readonly string[];
}

/** Collects what a reader makes of one file after the other. */
export class Collected {
  readonly rules: OwnRule[] = [];
  readonly inexact: Inexact[] = [];

  add(rule: OwnRule): void {
    this.rules.push(rule);
  }

  leave(written: string, file: string, why: string): void {
    this.inexact.push({ written, file, how: "left", why });
  }

  widen(written: string, file: string, why: string): void {
    this.inexact.push({ written, file, how: "wider", why });
  }
}
