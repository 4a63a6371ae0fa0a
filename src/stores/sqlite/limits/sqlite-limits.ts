/** Limits that hold across processes and restarts. */
import { randomBytes } from "node:crypto";
import type { LimitAnswer, LimitStore } from "../../../core/ports/ports.ts";
import type { SqliteClient } from "../open-sqlite.ts";
import type { limitsArea } from "./limits-area.ts";

export function createSqliteLimits(client: SqliteClient): LimitStore {
  const area = client.area<typeof limitsArea>("limits");
  const start = randomBytes(9).toString("base64url");
  let calls = 0;
  return {
    async take(claims, now, dry): Promise<LimitAnswer> {
      if (dry) {
        const refusal = await area.read("look", { claims, now });
        return refusal === undefined ? { ok: true, release: undefined } : { ok: false, ...refusal };
      }
      const call = `${start}.${++calls}`;
      const refusal = await area.write("take", { claims, now, call });
      if (refusal !== undefined) return { ok: false, ...refusal };
      const holds = claims.some(({ concurrent }) => concurrent !== undefined);
      return { ok: true, release: holds ? releaseOnce(call) : undefined };
    },
  };

  function releaseOnce(call: string): () => void {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      // A place that cannot be given back now is given back when this process has ended.
      area.write("release", { call }).catch(() => {});
    };
  }
}
