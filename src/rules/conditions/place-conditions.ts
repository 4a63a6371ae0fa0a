/** Conditions on places: paths and URLs. */
import { isAbsolute, resolve } from "node:path";
import { isInside } from "../../core/input/inside-folder.ts";
import type { CompilePattern } from "../../core/ports/pattern.ts";
import type { Operator } from "../shapes/operators.ts";
import type { Subject } from "../subject.ts";
import type { CallView, CompiledCondition, Holds } from "./condition.ts";
import { parseFileForm } from "./file-form.ts";
import { textTest } from "./text-test.ts";

/** A value that could never hold would be a rule that silently is not there. */
function explainBadPath(operator: Operator, value: string): string | undefined {
  if (operator === "matches" || !/[*?]/.test(value)) return undefined;
  return `a path condition with ${operator} takes a file or folder, not the wildcard ${JSON.stringify(value)}: name the folder with "inside", or use "matches" with a regular expression.`;
}

/** Compares the real path. Operators on text see the path from the workspace, if it lies in there. */
export function pathHolds(
  operator: Operator,
  written: string,
  compilePattern: CompilePattern,
): Holds | string {
  if (operator === "files") return filesHold(written);
  const bad = explainBadPath(operator, written);
  if (bad !== undefined) return bad;
  const value = operator === "startsWith" ? written.replace(/^(?:\.\/)+/, "") : written;
  const test = operator === "inside" ? undefined : textTest(operator, value, compilePattern);
  if (typeof test === "string") return test;
  return (subject, view) => {
    if (subject.path === undefined) return false;
    // A program that runs code may touch any path. Rules about paths mean commands that say which.
    if (subject.path === "unknown") return runsAnyCode(subject) ? false : "maybe";
    const { absolute } = subject.path;
    if (operator === "inside" || operator === "equals") {
      const compare = operator === "inside" ? isInside : (path: string, other: string) => path === other;
      const written = resolvePath(value, view);
      // A rule may name a folder by a link; the path of the call is known as it really is.
      return compare(absolute, written) || compare(absolute, view.realPath(written));
    }
    const root = view.root.endsWith("/") ? view.root : `${view.root}/`;
    if (value.startsWith("/") || !absolute.startsWith(root)) return test?.(absolute, view);
    return test?.(absolute.slice(root.length), view);
  };
}

function filesHold(written: string): Holds | string {
  const form = parseFileForm(written);
  if (typeof form === "string") return form;
  return (subject, view, widening) => {
    if (subject.path === undefined) return false;
    if (subject.path === "unknown") return runsAnyCode(subject) ? false : "maybe";
    const root = view.root.endsWith("/") ? view.root : `${view.root}/`;
    const { absolute } = subject.path;
    if (!absolute.startsWith(root)) return false;
    const relative = absolute.slice(root.length);
    return widening ? form.approves(relative) : form.concerns(relative);
  };
}

/** `find . "$X" -exec cat {} +` still opens files: a word that may make it do more must not hide them. */
function runsAnyCode({ risk, command }: Subject): boolean {
  return risk === "execute" && (command?.beyond === undefined || command.dynamic.length === 0);
}

/** The root of the workspace that the call is made in. Relative to it a rule could not tell one from another. */
export function workspaceHolds(operator: Operator, value: string): Holds | string {
  if (!isAbsolute(value) && value !== "~" && !value.startsWith("~/"))
    return `a workspace condition takes an absolute folder or one in ~/, not ${JSON.stringify(value)}.`;
  return (_, view) => isPlace(view.root, operator, resolvePath(value, view), view);
}

/** The folder that the call starts in; a value is relative to the workspace. */
export function folderHolds(operator: Operator, value: string): Holds {
  return (_, view, widening) => {
    const written = resolvePath(value, view);
    // What is named below the workspace and leads out of it is not what the rule's author meant to open.
    const isOutside = widening && !isInside(view.folder, view.realPath(view.root));
    if (isOutside && isInside(written, view.root)) return false;
    return isPlace(view.folder, operator, written, view);
  };
}

/** A rule may name a folder by a link; that of the call is known as it really is. */
function isPlace(real: string, operator: Operator, written: string, view: CallView): boolean {
  const compare = operator === "equals" ? (one: string, other: string) => one === other : isInside;
  return compare(real, written) || compare(real, view.realPath(written));
}

/** `inside` compares hosts: `example.com` covers its sub-domains. Other operators see the normal form. */
export function urlHolds(operator: Operator, value: string, compilePattern: CompilePattern): Holds | string {
  if (operator === "inside") {
    const host = hostOf(URL.parse(`http://${value}`));
    if (host === undefined || !/^[^/:?#@*.][^/:?#@*]*$/.test(value))
      return `"inside" on a URL takes a host such as example.com, not ${JSON.stringify(value)}.`;
    return ({ url }) => {
      if (url === undefined) return false;
      const actual = hostOf(URL.parse(url));
      return actual === undefined ? undefined : actual === host || actual.endsWith(`.${host}`);
    };
  }
  const normal = operator === "equals" ? (URL.parse(value)?.href ?? value) : value;
  const test = textTest(operator, normal, compilePattern);
  if (typeof test === "string") return test;
  return (subject, view) => {
    if (subject.url === undefined) return false;
    const url = URL.parse(subject.url);
    return url === null ? undefined : test(url.href, view);
  };
}

/** `example.com.` is `example.com`. */
function hostOf(url: URL | null): string | undefined {
  return url === null || url.hostname === "" ? undefined : url.hostname.replace(/\.+$/, "");
}

/** `inside src` does not open `src/.env`. `equals .env`, `inside ~/.ssh` and a pattern with its name do. */
export function namesProtected(
  operator: Operator,
  values: readonly string[],
): NonNullable<CompiledCondition["names"]> {
  return (absolute, view) =>
    values.some((value) => {
      if (operator === "files") return false;
      if (operator === "equals") return resolvePath(value, view) === absolute;
      if (operator === "inside") return view.isProtected(resolvePath(value, view));
      return value.replaceAll("\\", "").includes(absolute.slice(absolute.lastIndexOf("/") + 1));
    });
}

/** A path as rules write it, made absolute. */
export function resolvePath(
  path: string,
  view: { readonly root: string; readonly home: string | undefined },
): string {
  if ((path === "~" || path.startsWith("~/")) && view.home !== undefined)
    return resolve(view.home, path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(view.root, path);
}
