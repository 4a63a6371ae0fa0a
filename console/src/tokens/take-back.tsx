/** A button that asks once more before it takes something back. */
import { useEffect, useState } from "react";

export function TakeBack({ what, onSure }: { readonly what: string; readonly onSure: () => void }) {
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!isAsked) return;
    const timer = setTimeout(() => setAsked(false), 5_000);
    return () => clearTimeout(timer);
  }, [isAsked]);
  if (!isAsked)
    return (
      <button type="button" aria-label={`Revoke ${what}`} onClick={() => setAsked(true)}>
        Revoke
      </button>
    );
  return (
    <button type="button" className="danger" aria-label={`Really revoke ${what}`} onClick={onSure}>
      Really revoke
    </button>
  );
}
