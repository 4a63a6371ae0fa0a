/** The section `ledger` of a file: how records are kept, and where else their signed checkpoints go. */
import { choice, duration, flag, section, text } from "../../core/input/shape.ts";
import type { LedgerAnchor } from "../../core/ports/ledger-reader.ts";
import type { ShapeProblem } from "../../safe/files/documents/check-shape.ts";
import type { SettingsOf } from "./read-section.ts";

const anchors = {
  type: ["array", "null"],
  description:
    "Where signed checkpoints are kept besides the state folder, so that an older copy of the whole folder is noticed. Only in files of the user and the administrator.",
  items: {
    type: "object",
    description: "A file, the log of the system, or a service: exactly one of file, syslog and url.",
    properties: {
      file: text(
        "Added to this file, best on another disk or one that can only be appended to. Its folder must be there.",
        { minLength: 1 },
      ),
      syslog: flag("true: written to the log of the system, with the tag toolgate."),
      url: text("Sent there by POST, each as a line of JSON.", { minLength: 1 }),
      allow_private: flag("With url: it may lead to this machine or a private network.", { default: false }),
    },
    additionalProperties: false,
  },
  examples: [[{ file: "/var/log/toolgate/anchor.jsonl" }, { syslog: true }]],
} as const;

export const ledgerShape = section(
  {
    durability: choice(
      ["process-death", "power-loss"],
      "What an acknowledged record survives. power-loss waits for the disk at every commit.",
      { default: "process-death" },
    ),
    keep_days: duration(1, "Older records are removed, with a signed note. By default they are kept.", {
      examples: ["30d"],
    }),
    anchors,
  },
  "How records are kept. Of a project's file only if it is trusted.",
);

type Written = SettingsOf<typeof ledgerShape>;
type WrittenAnchor = NonNullable<Written["anchors"]>[number];

export interface LedgerSettings extends Omit<Written, "anchors"> {
  readonly anchors?: readonly LedgerAnchor[];
}

/** What no schema can say. */
export function checkAnchors(anchors: readonly WrittenAnchor[] = []): ShapeProblem[] {
  return anchors.flatMap((anchor, index) => {
    const reason = explainBadAnchor(anchor);
    if (reason === undefined) return [];
    return [{ path: ["ledger", "anchors", index], part: "value" as const, reason, plain: reason }];
  });
}

function explainBadAnchor({ file, syslog, url, allowPrivate }: WrittenAnchor): string | undefined {
  if ([file, syslog, url].filter((one) => one !== undefined).length !== 1)
    return "takes exactly one of file, syslog and url.";
  if (syslog === false) return "syslog is true, or the entry is left out.";
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    return "url must be an address that begins with https:// or http://.";
  return allowPrivate !== undefined && url === undefined ? "allow_private goes with url." : undefined;
}

/** For a section that was checked. */
export function toLedgerSettings({ anchors, ...settings }: Written): LedgerSettings {
  return { ...settings, ...(anchors !== undefined && { anchors: anchors.map(toAnchor) }) };
}

function toAnchor({ file, url, allowPrivate }: WrittenAnchor): LedgerAnchor {
  if (file !== undefined) return { file };
  return url === undefined ? { syslog: true } : { url, ...(allowPrivate !== undefined && { allowPrivate }) };
}

/** Key by key of the most trusted file. Anchors of all files: nobody takes another's away. */
export function mergeLedgerSettings(byTrust: readonly LedgerSettings[]): LedgerSettings {
  const anchors = new Map(
    byTrust.flatMap((said) => said.anchors ?? []).map((anchor) => [JSON.stringify(anchor), anchor]),
  );
  const { anchors: _, ...settings } = Object.assign({}, ...byTrust.toReversed()) as LedgerSettings;
  return { ...settings, ...(anchors.size > 0 && { anchors: [...anchors.values()] }) };
}

/** Files that must outlive what somebody does to the state folder: no call may touch them. */
export function anchorFiles({
  settings,
}: {
  readonly settings: { readonly ledger?: LedgerSettings };
}): string[] {
  return (settings.ledger?.anchors ?? []).flatMap((anchor) => ("file" in anchor ? [anchor.file] : []));
}
