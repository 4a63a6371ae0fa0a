/** The list of tokens that every machine shares. Whether it has changed is asked at every request. */
import { messageOf } from "../../core/call/errors.ts";
import type { TokenList, TokenRecord, TokenStore } from "../../core/ports/tokens.ts";
import { isAway } from "./connect/postgres-error.ts";
import type { Database } from "./database.ts";

/** While the database cannot be reached, what was read last still counts for so long. */
const staleMs = 60_000;

export function createPostgresTokens(db: Database): TokenStore {
  let known: { readonly version: number; readonly list: TokenList } | undefined;
  let knownAt = 0;
  let looking: Promise<TokenList> | undefined;

  const look = async (): Promise<TokenList> => {
    try {
      const [row] = await db.look(
        "SELECT version, CASE WHEN version <> $1 THEN list END AS list FROM toolgate.tokens WHERE id = 1",
        [known?.version ?? -1],
      );
      const version = Number(row?.version);
      if (known?.version !== version)
        known = { version, list: { ok: true, tokens: JSON.parse(String(row?.list)) as TokenRecord[] } };
      knownAt = performance.now();
      return known.list;
    } catch (error) {
      const away = isAway(error);
      if (known !== undefined && away && performance.now() - knownAt < staleMs) return known.list;
      return { ok: false, tokens: [], message: `No token counts: ${messageOf(error)}`, isAway: away };
    }
  };

  return {
    /** Requests of one moment share a look that began after they came. */
    list() {
      looking ??= Promise.resolve().then(() => {
        looking = undefined;
        return look();
      });
      return looking;
    },
    change: (change) =>
      db.transaction(async (tx) => {
        const [row] = await tx.query("SELECT version, list FROM toolgate.tokens WHERE id = 1 FOR UPDATE");
        const now = JSON.parse(String(row?.list)) as TokenRecord[];
        const { tokens, result } = change(now);
        if (tokens !== now)
          await tx.run("UPDATE toolgate.tokens SET version = version + 1, list = $1 WHERE id = 1", [
            JSON.stringify(tokens),
          ]);
        return result;
      }),
  };
}
