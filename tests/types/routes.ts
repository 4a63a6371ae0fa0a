/** What must not compile: a server whose routes need something that it does not have. Checked by `npm run typecheck`. */
import { json } from "../../src/surfaces/http/answer.ts";
import { type AnyRoute, defineRouteFor } from "../../src/surfaces/http/route.ts";
import { serveHttp } from "../../src/surfaces/http/serve-http.ts";
import type { HttpParts, Served } from "../../src/surfaces/http/server-parts.ts";
import { allRoutes } from "../../src/surfaces/serve/all-routes.ts";

interface Shelf extends HttpParts {
  readonly books: readonly string[];
}

const book = defineRouteFor<Shelf & Served>()({
  method: "GET",
  path: "/books/:number",
  right: "read",
  summary: "One book",
  answers: {},
  // @ts-expect-error the path has no such parameter
  handle: ({ params }, { books }) => json([books[Number(params.number)], params.shelf]),
});

export const fits: AnyRoute<Shelf & Served> = book;

// @ts-expect-error a server without books cannot show one
export const lacksBooks: AnyRoute<HttpParts & Served> = book;

export function serveNothing(parts: HttpParts) {
  // @ts-expect-error the routes of `toolgate serve` need a store, events and more
  return serveHttp({ parts, routes: allRoutes, port: 0 });
}
