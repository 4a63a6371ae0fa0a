/** Tokens: who has one, and giving one out or taking it back. Nobody gives more than they have. */
import { messageOf, ToolgateError } from "../../../core/call/errors.ts";
import { defined } from "../../../core/input/defined.ts";
import type { TokenRecord } from "../../../core/ports/tokens.ts";
import { shownName } from "../../../core/text/visible.ts";
import { endSessionsOf } from "../../../sessions/end-from-outside.ts";
import { json } from "../../http/answer.ts";
import { problem } from "../../http/problem.ts";
import type { TokenHolder } from "../../http/rights.ts";
import { giveToken, revokeTokens } from "../../http/tokens/give-token.ts";
import type { GivenToken, Token, TokenBody, TokenList, TokenRevoked } from "../contract.ts";
import { defineStoreRoute } from "../rest-route.ts";
import { givenToken, tokenBody, tokenList, tokenRevoked } from "../schemas/console.ts";

const listTokens = defineStoreRoute({
  method: "GET",
  path: "/api/tokens",
  right: "admin",
  summary: "The tokens that were given out, without the tokens themselves",
  answers: { 200: tokenList },
  async handle(_request, { store, clock }) {
    const list = await store.tokens.list();
    if (!list.ok)
      return problem("unavailable", "The list of tokens cannot be read; the server's log says why.");
    return json<TokenList>({ tokens: list.tokens.map((record) => toToken(record, clock.now())) });
  },
});

const createToken = defineStoreRoute({
  method: "POST",
  path: "/api/tokens",
  right: "admin",
  summary: "Gives out a token; it is shown once",
  description:
    "Its rights and capabilities are among those of the token that asks: nobody gives more than they have. A token that ends gives tokens of at most 30 days, and none with `admin` that lasts longer than itself.",
  body: tokenBody,
  answers: { 201: givenToken },
  async handle({ body, holder }, { store, clock }) {
    const tooMuch = explainTooMuch(body, holder) ?? explainTooLong(body, holder, clock.now());
    if (tooMuch !== undefined) return problem("forbidden", tooMuch);
    const { tokens } = await store.tokens.list();
    if (tokens.some(({ name }) => name === body.name))
      return problem("conflict", `There is a token ${shownName(body.name)} already.`, revokeHint);
    try {
      const capabilities = body.capabilities ?? holder.caller.capabilities;
      const { token, record } = await giveToken(store.tokens, { ...body, capabilities });
      const { name, rights } = record;
      const message = `${holder.caller.id} gives out the token ${name}: ${rights.join(", ")}.`;
      const about = { name, rights: [...rights] };
      const who = { at: clock.now(), caller: holder.caller.id, surface: "http" };
      await store.ledger.note({ ...who, code: "token_created", message, about });
      return json<GivenToken>({ ...toToken(record, clock.now()), token }, { status: 201 });
    } catch (error) {
      if (error instanceof ToolgateError) return problem("invalid_body", messageOf(error));
      throw error;
    }
  },
});

const revokeHint = { hint: "Revoke it first, or choose another name." };

const revokeToken = defineStoreRoute({
  method: "DELETE",
  path: "/api/tokens/:name",
  right: "admin",
  summary: "Takes a token back: it is refused from the next request on, and its sessions of agents end",
  params: { name: "The token's name." },
  answers: { 200: tokenRevoked },
  async handle({ params: { name }, holder }, { store, clock }) {
    const gone = await revokeTokens(store.tokens, [name]);
    if (gone.length === 0)
      return problem("not_found", `There is no token ${shownName(name)}.`, {
        hint: "GET /api/tokens lists them.",
      });
    await endSessionsOf(store.sessions, name, holder.caller.id);
    const who = { at: clock.now(), caller: holder.caller.id, surface: "http" };
    const message = `${holder.caller.id} revokes the token ${name}.`;
    await store.ledger.note({ ...who, code: "token_revoked", message, about: { name } });
    return json<TokenRevoked>({ name, revoked: true });
  },
});

export const tokenRoutes = [listTokens, createToken, revokeToken];

function explainTooMuch({ rights, capabilities }: TokenBody, holder: TokenHolder): string | undefined {
  const right = rights.find((one) => !holder.rights.has(one));
  if (right !== undefined) return `This token does not have the right ${right} itself, so it cannot give it.`;
  const own = holder.caller.capabilities;
  const more = own.includes("*") ? undefined : capabilities?.find((one) => !own.includes(one));
  return more === undefined ? undefined : `This token may not use ${shownName(more)} itself.`;
}

const longestGivenMs = 30 * 86_400_000;

/** Whoever gets hold of a token of half a day must not make one of it that never ends. */
function explainTooLong(
  { rights, expiresInMs }: TokenBody,
  { expiresAt }: TokenHolder,
  now: number,
): string | undefined {
  if (expiresAt === undefined) return undefined;
  if (expiresInMs === undefined || expiresInMs > longestGivenMs)
    return "This token ends, so it gives out tokens of at most 30 days (`expiresInMs`). `toolgate tokens create` makes those that last longer.";
  if (rights.includes("admin") && now + expiresInMs > expiresAt)
    return "This token ends, so it gives out no token with the right admin that lasts longer than itself.";
  return undefined;
}

function toToken({ name, rights, capabilities, createdAt, expiresAt }: TokenRecord, now: number): Token {
  const until = expiresAt === undefined ? undefined : Date.parse(expiresAt);
  const held = { name, rights: [...rights], capabilities: [...capabilities] };
  return defined({
    ...held,
    createdAt: Date.parse(createdAt),
    expiresAt: until,
    expired: until !== undefined && until <= now,
  });
}
