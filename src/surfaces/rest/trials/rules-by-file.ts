/** The rules in force, file by file, as their tests want to meet them. */

import type { Gate } from "../../../gate/gate.ts";
import type { RulesToTest } from "../../../replay/test-judges.ts";

export function rulesByFile({ routes, policies }: Gate["rules"]): readonly RulesToTest[] {
  const files = new Set([...routes, ...policies].flatMap(({ source }) => source?.file ?? []));
  return [...files].map((file) => ({
    file,
    rules: {
      routes: routes.filter(({ source }) => source?.file === file),
      policies: policies.filter(({ source }) => source?.file === file),
    },
  }));
}
