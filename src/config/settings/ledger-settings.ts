/** The section `ledger` of a configuration file: how records are kept, and where else their signed checkpoints go. */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type { LedgerAnchor } from "../../core/ports/ledger-reader.ts";
import type { ShapeProblem } from "../../safe/files/documents/check-shape.ts";
import type { Path } from "../../safe/files/documents/read-yaml.ts";
import type { SchemaPart } from "../../safe/files/documents/schema-part.ts";
import { showPath } from "../../safe/files/documents/shape-words.ts";

export interface LedgerSettings {
  readonly durability?: "process-death" | "power-loss";
  readonly keepDays?: number;
  readonly anchors?: readonly LedgerAnchor[];
}

export const anchorsSchema: SchemaPart = {
  type: ["array", "null"],
  description:
    "Where signed checkpoints are kept besides the state folder, so that an older copy of the whole folder is noticed. Only in files of the user and the administrator.",
  items: {
    type: "object",
    description: "A file, the log of the system, or a service: exactly one of file, syslog and url.",
    properties: {
      file: {
        type: "string",
        minLength: 1,
        description:
          "Added to this file, best on another disk or one that can only be appended to. Its folder must be there.",
      },
      syslog: {
        type: "boolean",
        description: "true: written to the log of the system, with the tag toolgate.",
      },
      url: { type: "string", minLength: 1, description: "Sent there by POST, each as a line of JSON." },
      allow_private: {
        type: "boolean",
        description: "With url: it may lead to this machine or a private network.",
        default: false,
      },
    },
    additionalProperties: false,
  },
  examples: [[{ file: "/var/log/toolgate/anchor.jsonl" }, { syslog: true }]],
};

/** What no schema can say. For a section that already has the right shape. */
export function checkAnchors(section: Json | undefined): ShapeProblem[] {
  const anchors = (isJsonObject(section ?? null) ? (section as JsonObject).anchors : null) ?? [];
  return (anchors as readonly JsonObject[]).flatMap((anchor, index) => {
    const reason = explainBadAnchor(anchor);
    const path: Path = ["ledger", "anchors", index];
    if (reason === undefined) return [];
    return [{ path, part: "value" as const, message: `${showPath(path)}: ${reason}`, reason, plain: reason }];
  });
}

function explainBadAnchor({
  file,
  syslog,
  url,
  allow_private: allowPrivate,
}: JsonObject): string | undefined {
  if ([file, syslog, url].filter((one) => one !== undefined).length !== 1)
    return "takes exactly one of file, syslog and url.";
  if (syslog === false) return "syslog is true, or the entry is left out.";
  if (url !== undefined && !/^https?:$/.test(URL.parse(String(url))?.protocol ?? ""))
    return "url must be an address that begins with https:// or http://.";
  return allowPrivate !== undefined && url === undefined ? "allow_private goes with url." : undefined;
}

/** The shape was checked against the schema. */
export function toLedgerSettings(section: JsonObject): LedgerSettings {
  const { durability, keep_days: keepDays, anchors } = section;
  const said = Object.entries({ durability, keepDays }).filter(([, value]) => value !== undefined);
  const listed = (anchors ?? undefined) as readonly JsonObject[] | undefined;
  return {
    ...(Object.fromEntries(said) as LedgerSettings),
    ...(listed !== undefined && { anchors: listed.map(toAnchor) }),
  };
}

function toAnchor({ allow_private: allowPrivate, ...anchor }: JsonObject): LedgerAnchor {
  return { ...anchor, ...(allowPrivate !== undefined && { allowPrivate }) } as unknown as LedgerAnchor;
}

/** Key by key of the most trusted file; anchors of all of them, because a user must not take the administrator's away, nor the other way round. */
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
