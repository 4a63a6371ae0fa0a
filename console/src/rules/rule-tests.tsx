/** The tests that rules carry, run on click, with what failed first. */
import type { RuleTestReport } from "toolgate/contract";
import { useChange } from "../api/use-read.ts";
import { Icon } from "../parts/icons.tsx";
import { plural } from "../parts/numbers.ts";
import { Place, RuleName } from "../parts/rule-name.tsx";
import { Shown } from "../parts/shown.tsx";
import { Failure } from "../parts/states.tsx";

export function RuleTests() {
  const run = useChange<RuleTestReport>([]);
  return (
    <div className="detail">
      <div className="detail-head">
        <h2>Tests of rules</h2>
        <p className="quiet">Rules carry their own tests, in the same file. Nothing runs but the rules.</p>
      </div>
      <div className="actions">
        <button
          type="button"
          className="primary"
          disabled={run.isPending}
          onClick={() => run.mutate({ path: "api/rules/test", method: "POST", body: {} })}
        >
          {run.isPending ? "Running…" : "Run all tests"}
        </button>
      </div>
      {run.error !== null && <Failure error={run.error} />}
      {run.data !== undefined && <Report report={run.data} />}
    </div>
  );
}

function Report({ report }: { readonly report: RuleTestReport }) {
  return (
    <div className="part" role="status">
      <p className={report.failed > 0 ? "says refused" : "says fine"}>
        <Icon name={report.failed > 0 ? "no" : "yes"} /> {plural(report.passed, "test")} passed,{" "}
        {report.failed} failed
      </p>
      {report.files.map(({ file, problem, tests }) => (
        <div key={file} className="part">
          <h3>
            <Place file={file} />
          </h3>
          {problem !== undefined && (
            <p className="opaque">
              <Shown text={problem} />
            </p>
          )}
          <ul className="tests">
            {[...tests]
              .sort((a, b) => Number(a.ok) - Number(b.ok))
              .map((test) => (
                <li key={`${test.rule.name} ${test.desc}`} className={test.ok ? "" : "refused-word"}>
                  <Icon name={test.ok ? "yes" : "no"} />
                  <span>
                    <RuleName rule={test.rule} /> <Shown text={test.desc} />
                    {!test.ok && (
                      <span className="by">
                        expected {test.expect}, got {test.verdict}
                        {test.decidedBy !== undefined && (
                          <>
                            {" "}
                            by <RuleName rule={test.decidedBy} />
                          </>
                        )}
                      </span>
                    )}
                    {test.shadowedBy !== undefined && (
                      <span className="by">
                        never reached, because of <RuleName rule={test.shadowedBy} />
                      </span>
                    )}
                  </span>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
