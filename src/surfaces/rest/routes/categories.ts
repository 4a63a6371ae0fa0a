/** Categories: which groups of tools are on, and how much they may do. Changes hold until the server ends. */

import { ToolgateError } from "../../../core/call/errors.ts";
import { type ChangedBy, categoriesNamed, unionNames } from "../../../core/tool/categories.ts";
import type { Gate } from "../../../gate/gate.ts";
import { type Answer, json } from "../../http/answer.ts";
import { problem } from "../../http/problem.ts";
import type { TokenHolder } from "../../http/rights.ts";
import type { CategoryList } from "../contract.ts";
import { defineGateRoute } from "../rest-route.ts";
import { categoryList, ceilingBody, enableAllBody } from "../schemas/tools.ts";

const listCategories = defineGateRoute({
  method: "GET",
  path: "/api/categories",
  right: ["call", "read"],
  summary: "All categories",
  answers: { 200: categoryList },
  handle: ({ holder }, { gate }) => json(viewCategories(gate, holder)),
});

const switches = (["enable", "disable"] as const).map((change) =>
  defineGateRoute({
    method: "POST",
    path: `/api/categories/:id/${change}`,
    right: "admin",
    summary: change === "enable" ? "Switches a category on" : "Switches a category off",
    params: { id: "A category, or a name that stands for several, such as `development`." },
    answers: { 200: categoryList },
    handle: ({ params, holder }, { gate }) =>
      answerChange(gate, holder, (by) => gate.categories[change](params.id, by)),
  }),
);

const setCeiling = defineGateRoute({
  method: "PUT",
  path: "/api/categories/:id/ceiling",
  right: "admin",
  summary: "Says how much the tools of a category may do at most",
  params: { id: "A category." },
  body: ceilingBody,
  answers: { 200: categoryList },
  handle: ({ params, body, holder }, { gate }) =>
    answerChange(gate, holder, (by) => gate.categories.setCeiling(params.id, body.ceiling, by)),
});

const enableAll = defineGateRoute({
  method: "PUT",
  path: "/api/categories",
  right: "admin",
  summary: "Switches every category on, with no ceiling, or every category off",
  body: enableAllBody,
  answers: { 200: categoryList },
  handle: ({ body, holder }, { gate }) =>
    answerChange(gate, holder, (by) => gate.categories.enableAll(body.enableAll, by)),
});

export const categoryRoutes = [listCategories, enableAll, ...switches, setCeiling];

/** Answers when the change is on record; one that could not be recorded is told as broken. */
async function answerChange(gate: Gate, holder: TokenHolder, make: (by: ChangedBy) => void): Promise<Answer> {
  try {
    make({ caller: holder.caller.id, surface: "http" });
  } catch (error) {
    // Its message names the closest category and all that there are.
    if (error instanceof ToolgateError) return problem("not_found", error.message);
    throw error;
  }
  await gate.recorded();
  return json(viewCategories(gate, holder));
}

function viewCategories(gate: Gate, { caller }: TokenHolder): CategoryList {
  const tools = gate.tools.list().filter(({ id }) => gate.tools.seenBy(caller, id) !== undefined);
  return {
    categories: gate.categories.list().map(({ id, name, description, enabled, ceiling }) => ({
      id,
      name,
      description,
      enabled,
      ceiling,
      tools: tools.filter(({ category }) => category === id).length,
    })),
    unions: unionNames.map((name) => ({ name, members: categoriesNamed(name) })),
  };
}
