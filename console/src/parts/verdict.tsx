/** How a call was decided, with icon and word: allowed ones are quiet. */
import { Icon, type IconName } from "./icons.tsx";

const looks: Readonly<Record<string, readonly [word: string, icon: IconName, tone: string]>> = {
  allow: ["allowed", "yes", "quiet"],
  ask: ["asked", "ask", "asked"],
  deny: ["refused", "no", "refused"],
  abstain: ["no opinion", "dash", "quiet"],
  failed: ["failed", "warn", "refused"],
  unknown: ["unknown end", "ask", "unknown"],
  running: ["running", "run", "quiet"],
  note: ["note", "dash", "quiet"],
};

export function Verdict({ of }: { readonly of: string }) {
  const [word, icon, tone] = looks[of] ?? [of, "dash", "quiet"];
  return (
    <span className={`verdict ${tone}`}>
      <Icon name={icon} />
      {word}
    </span>
  );
}

const permissionIcons: Readonly<Record<string, IconName>> = { read: "read", write: "write", execute: "run" };

/** What a tool may do. */
export function Permission({ of }: { readonly of: string }) {
  return (
    <span className="permission">
      <Icon name={permissionIcons[of] ?? "ask"} />
      {of}
    </span>
  );
}
