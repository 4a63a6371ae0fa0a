/** The section `notify` of a configuration file: who is told that a call waits for an answer. */
import { flag, section, text } from "../../core/input/shape.ts";
import type { ShapeProblem } from "../../safe/files/documents/check-shape.ts";
import type { SettingsOf } from "./read-section.ts";

export const notifyShape = section(
  {
    command: {
      type: "array",
      description:
        "A program and its arguments, started without a shell. It gets who asks, by which rule, and a link as JSON on standard input.",
      items: { type: "string", minLength: 1 },
      minItems: 1,
      examples: [["/usr/local/bin/tell-my-phone", "--quiet"]],
    },
    webhook: text("The same is sent there by POST. An address that begins with https://.", {
      minLength: 1,
      examples: ["https://hooks.example.com/toolgate"],
    }),
    allow_private: flag("webhook may lead to this machine or a private network, also without TLS.", {
      default: false,
    }),
    link: text("What the links begin with: how the console is reached from where they are read.", {
      minLength: 1,
      examples: ["https://gate.example.com"],
    }),
  },
  "Who is told when a call waits for an answer: never what is in the call. Only in files of the user and the administrator.",
);

export type NotifySettings = SettingsOf<typeof notifyShape>;

/** What no schema can say. */
export function checkNotify({ webhook, link, allowPrivate }: NotifySettings = {}): ShapeProblem[] {
  const problems: ShapeProblem[] = [];
  const add = (key: string, reason: string) =>
    problems.push({ path: ["notify", key], part: "value", reason, plain: reason });
  const protocol = webhook === undefined ? "https:" : URL.parse(webhook)?.protocol;
  if (protocol !== "https:" && !(protocol === "http:" && allowPrivate === true))
    add("webhook", "must be an address that begins with https:// (http:// only with allow_private).");
  if (link !== undefined && !/^https?:$/.test(URL.parse(link)?.protocol ?? ""))
    add("link", "must be an address that begins with https:// or http://.");
  return problems;
}
