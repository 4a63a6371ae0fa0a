/** What the rules themselves have to say: problems, files that are not trusted, what was ignored. */
import { ok, problem, type SetupFinding, warning } from "../../../../agents/setup-finding.ts";
import { describeConfigProblem } from "../../../../config/config-problem.ts";
import { plural } from "../../../../core/text/plural.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { hasExpired, type Policy } from "../../../../rules/policies.ts";
import type { CliIo } from "../../terminal/io.ts";
import { shownPath } from "../../terminal/shown.ts";

const check = "configuration";

export function checkConfiguration(config: OpenConfig, { cwd }: CliIo): SetupFinding[] {
  const { problems, ignored, rules, sources } = config;
  const { routes = [], policies = [], limits = [] } = rules;
  const files = [...new Set(ignored.map(({ file }) => file))];
  const findings = [
    ...problems.map((one) =>
      problem(
        check,
        describeConfigProblem({ ...one, file: shownPath(one.file, cwd) }),
        "Until it is repaired, the last good rules count; without any, every call is blocked.",
      ),
    ),
    ...files.map((file) => {
      const what = ignored.filter((one) => one.file === file).map((one) => one.what);
      const shown = shownPath(file, cwd);
      const message = `${shown} is not trusted, so this is ignored: ${what.join(", ")}.`;
      return warning("trust", message, `Look at it, then: toolgate trust ${shown}`);
    }),
  ];
  findings.push(...policies.filter((policy) => hasExpired(policy, Date.now())).map(toExpired));
  if (problems.length > 0) return findings;
  const count = `${plural(routes.length, "route")}, ${plural(policies.length, "policy", "policies")}, ${plural(limits.length, "limit")}`;
  return [ok(check, `${count} from ${plural(sources.length, "file")}.`), ...findings];
}

function toExpired({ name, until }: Policy): SetupFinding {
  const message = `Policy "${visible(name)}" approves nothing any more: its last day was ${until}.`;
  return warning(check, message, "Remove it, or give it another day if it is still right.");
}
