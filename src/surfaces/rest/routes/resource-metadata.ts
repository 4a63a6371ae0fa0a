/** Tells clients where to get a token for this server (RFC 9728). */
import { Type } from "typebox";
import { json } from "../../http/answer.ts";
import { type AnyRoute, defineRoute } from "../../http/route.ts";
import type { HttpParts, Served } from "../../http/server-parts.ts";
import type { OAuthSettings } from "../../http/tokens/oauth-settings.ts";

export const resourceMetadataPath = "/.well-known/oauth-protected-resource";

/** Only of servers that take tokens of an identity provider. */
export function resourceMetadataRoute({
  issuer,
  audience,
  scopes,
}: OAuthSettings): AnyRoute<HttpParts & Served> {
  const metadata = {
    resource: audience,
    authorization_servers: [issuer],
    scopes_supported: Object.keys(scopes),
    bearer_methods_supported: ["header"],
    resource_name: "toolgate",
  };
  return defineRoute({
    method: "GET",
    path: resourceMetadataPath,
    right: "public",
    summary: "Where to get a token for this server (RFC 9728).",
    answers: {
      200: Type.Object({
        resource: Type.String(),
        authorization_servers: Type.Array(Type.String()),
        scopes_supported: Type.Array(Type.String()),
        bearer_methods_supported: Type.Array(Type.String()),
        resource_name: Type.String(),
      }),
    },
    handle: () => json(metadata),
  });
}
