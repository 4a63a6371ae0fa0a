/** What would run, verbatim and first; below it what the gate makes of it: commands one by one, files before and after, addresses. */
import { useRef, useState } from "react";
import type { Approval, CallPreview, PreviewCommand, PreviewPath } from "toolgate/contract";
import { DiffView } from "../parts/diff-view.tsx";
import { Icon } from "../parts/icons.tsx";
import { JsonText } from "../parts/json-text.tsx";
import { plural } from "../parts/numbers.ts";
import { Shown } from "../parts/shown.tsx";

const cutAt = 20_000;

export interface WhatRunsProps {
  readonly approval: Approval;
  readonly preview: CallPreview | undefined;
  /** How many texts are still cut: what nobody has opened cannot be approved. */
  readonly onOpened: () => void;
}

/** How many texts of the input are longer than what is shown at first. */
export function cutTexts({ input }: Approval): number {
  const { command, rest } = partsOf(input);
  const texts = [command ?? "", JSON.stringify(rest, null, 2)];
  return texts.filter((text) => text.length > cutAt).length;
}

export function WhatRuns({ approval, preview, onOpened }: WhatRunsProps) {
  const { command, rest } = partsOf(approval.input);
  const files = preview?.files.filter(({ change }) => change !== "none") ?? [];
  const hasDiff = files.some(({ before, after }) => before !== undefined || after !== undefined);
  return (
    <div className="what-runs">
      {command !== undefined && (
        <pre className="command-line">
          <Shown text={command} limit={cutAt} onOpened={onOpened} />
        </pre>
      )}
      {preview?.shell !== undefined && <ShellParts shell={preview.shell} />}
      {files.map((file) => (
        <div key={`${file.path} ${file.change}`} className="file">
          <p>
            <span className="change">{changeWords[file.change]}</span> <PathName path={file} />
            {file.movedTo !== undefined && (
              <span>
                {" "}
                to{" "}
                <code>
                  <Shown line text={file.movedTo} />
                </code>
              </span>
            )}
          </p>
          {file.changedSince === true && (
            <Warning>The file was changed after the question was asked.</Warning>
          )}
          {file.hidden !== undefined && <Warning>{file.hidden}</Warning>}
          {(file.before !== undefined || file.after !== undefined) && (
            <DiffView label={`Change of ${file.shown}`} before={file.before ?? ""} after={file.after ?? ""} />
          )}
          {file.redactions > 0 && <p className="quiet">{plural(file.redactions, "secret")} not shown.</p>}
        </div>
      ))}
      {preview?.urls.map(({ url, host, path }) => (
        <p key={url} className="url">
          <Icon name="live" /> asks{" "}
          <strong>
            <Shown line text={host} />
          </strong>
          <code>
            <Shown line text={path} />
          </code>
        </p>
      ))}
      {Object.keys(rest).length > 0 && (
        <Rest key={String(hasDiff)} rest={rest} isOpen={!hasDiff} onOpened={onOpened} />
      )}
      {approval.redactions > 0 && (
        <p className="quiet">
          {plural(approval.redactions, "secret")} taken out of what you see. The call has them.
        </p>
      )}
      <Meant approval={approval} preview={preview} />
    </div>
  );
}

const changeWords = {
  create: "creates",
  edit: "edits",
  delete: "deletes",
  move: "moves",
  none: "reads",
  unknown: "may change",
};

function Rest({
  rest,
  isOpen,
  onOpened,
}: {
  readonly rest: object;
  readonly isOpen: boolean;
  readonly onOpened: () => void;
}) {
  const [isShown, setShown] = useState(isOpen);
  const wasCounted = useRef(false);
  const opened = () => {
    if (!wasCounted.current) onOpened();
    wasCounted.current = true;
  };
  return (
    <details open={isShown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>{isOpen ? "Input" : "The same as the tool gets it"}</summary>
      {isShown && <JsonText label="Input of the call" value={rest} limit={cutAt} onOpened={opened} />}
    </details>
  );
}

function partsOf(input: Approval["input"]) {
  const { command, ...others } = input;
  return typeof command === "string" ? { command, rest: others } : { command: undefined, rest: input };
}

function ShellParts({ shell }: { readonly shell: NonNullable<CallPreview["shell"]> }) {
  return (
    <ul className="shell-parts">
      {shell.commands.map((command, index) => (
        <li key={`${index.toString()} ${command.text}`}>
          <code>
            <Shown line text={command.text} limit={600} />
          </code>
          <span className={command.risk === "opaque" ? "does opaque" : "does"}>{describe(command)}</span>
          <Paths
            paths={[
              ...command.writes,
              ...command.reads.filter(({ inside, protected: why }) => !inside || why !== undefined),
            ]}
          />
        </li>
      ))}
      {shell.redirects.length > 0 && (
        <li>
          <span className="does">redirects</span> <Paths paths={shell.redirects} />
        </li>
      )}
      {shell.notUnderstood.map(({ reason, text }) => (
        <li key={`${reason} ${text}`} className="opaque">
          <Icon name="warn" /> not understood: <Shown text={reason} />{" "}
          <code>
            <Shown line text={text} limit={400} />
          </code>
        </li>
      ))}
      {shell.cut && <li className="opaque">There are more parts than are shown here.</li>}
    </ul>
  );
}

function describe({ risk, network, beyond, via, unknownPaths }: PreviewCommand): string {
  const does = {
    read: "reads",
    write: "writes",
    execute: "runs a program",
    opaque: "not understood: what it does",
  }[risk];
  const facts = [
    does,
    network && "uses the network",
    beyond,
    unknownPaths && "some paths are known only when it runs",
  ];
  if (via.length > 0) facts.push(`inside ${via.join(", ")}`);
  return facts.filter(Boolean).join(" · ");
}

function Paths({ paths }: { readonly paths: readonly PreviewPath[] }) {
  return paths.map((path) => (
    <span key={`${path.access} ${path.path}`} className="path-use">
      {path.access === "write" ? "writes" : "reads"} <PathName path={path} />
    </span>
  ));
}

function PathName({ path }: { readonly path: Pick<PreviewPath, "path" | "shown" | "inside" | "protected"> }) {
  return (
    <>
      <code title={path.path}>
        <Shown line text={path.shown} />
      </code>
      {!path.inside && <strong className="outside">outside the workspace</strong>}
      {path.protected !== undefined && (
        <strong className="outside">
          <Shown line text={path.protected} />
        </strong>
      )}
    </>
  );
}

/** What the gate knows without a preview: where paths lead, which files the programs are. */
function Meant({ approval, preview }: Pick<WhatRunsProps, "approval" | "preview">) {
  const { paths, programs } = approval.meaning;
  const worth =
    preview === undefined
      ? paths
      : paths.filter(({ inside, protected: why }) => !inside || why !== undefined);
  const missing = programs.filter(({ files }) => files.length === 0);
  if (worth.length === 0 && missing.length === 0) return null;
  return (
    <ul className="shell-parts">
      {worth.map((path) => (
        <li key={path.path}>
          <PathName path={{ ...path, shown: path.path }} />
        </li>
      ))}
      {missing.map(({ name }) => (
        <li key={name} className="opaque">
          <Icon name="warn" />
          <span>
            no program{" "}
            <code>
              <Shown line text={name} />
            </code>{" "}
            is found here
          </span>
        </li>
      ))}
    </ul>
  );
}

function Warning({ children }: { readonly children: string }) {
  return (
    <p className="opaque">
      <Icon name="warn" /> <Shown text={children} />
    </p>
  );
}
