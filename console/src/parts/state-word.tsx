/** How a server, a session or a token stands, in a word and a tone. */

const tones: Readonly<Record<string, string>> = {
  ready: "fine",
  running: "fine",
  starting: "quiet",
  idle: "quiet",
  stopped: "quiet",
  disabled: "quiet",
  queued: "quiet",
  failed: "refused",
  broken: "refused",
  lost: "refused",
  expired: "refused",
  waiting: "asked",
  completed: "quiet",
  cancelled: "quiet",
};

export function StateWord({ of }: { readonly of: string }) {
  return (
    <span className={`state-word ${tones[of] ?? "quiet"}`}>
      <span className="mark" aria-hidden="true" />
      {of}
    </span>
  );
}
