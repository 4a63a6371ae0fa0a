/** Text and rules as watchers see them: without secrets, and not longer than a line or two. */

import type { RuleRef } from "../../../core/call/errors.ts";
import { defined } from "../../../core/input/defined.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import { redactText } from "../../../safe/redact/redact.ts";

const mostCharacters = 500;

export function shownText(text: string): string {
  // Cut after redacting: the half of a secret does not look like one.
  const clean = redactText(text.length > mostRead ? text.slice(0, mostRead) : text);
  return clean.length > mostCharacters ? `${clean.slice(0, mostCharacters - 1)}…` : clean;
}

/** What is behind this is not looked at, let alone shown. */
const mostRead = 10_000;

export function ruleJson(rule: RuleRef | undefined): JsonObject {
  if (rule === undefined) return {};
  const { kind, name, tier, source } = rule;
  const place = source && defined({ file: source.file, line: source.line });
  return { rule: defined({ kind, name, tier, source: place }) };
}
