/**
 * The shell handler: a command line of the author's with arguments of the caller's. The line is read once,
 * when the plugin is loaded; an argument is only ever one word for one program and never text that a shell
 * reads.
 */
import { failed } from "../../../core/call/tool-answer.ts";
import { conventionalRoles, type InputRoles } from "../../../core/input/input-roles.ts";
import type { JsonSchema } from "../../../core/tool/schema.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { childEnvironment } from "../../../safe/process/environment.ts";
import { compileTemplate } from "../../../safe/template/template-args.ts";
import { fixedFolder } from "./fixed-folder.ts";
import type { ShellHandler } from "./handler-shapes.ts";
import type { HandlerPlace, HandlerProblem, Prepared } from "./prepared-handler.ts";
import { runCommand } from "./run-command.ts";
import { isCompound, propertiesOf, templateProperties } from "./template-properties.ts";
import { wholeNumber } from "./whole-number.ts";

const timeoutMs = { otherwise: 30_000, most: 600_000 };

export function prepareShell(handler: ShellHandler, inputSchema: JsonSchema, place: HandlerPlace): Prepared {
  const timeout = wholeNumber("timeout", handler.timeout, timeoutMs);
  const folder = handler.cwd === undefined ? undefined : fixedFolder(handler.cwd, place.folder);
  const template =
    typeof handler.command === "string"
      ? compileTemplate(handler.command, templateProperties(inputSchema, handler.allowDash))
      : { ok: false as const, errors: ["The command must be a text."] };
  const problems: HandlerProblem[] = [
    ...timeout.problems,
    ...(folder?.ok === false ? [{ field: "cwd", message: folder.message }] : []),
    ...(template.ok ? [] : template.errors.map((message) => ({ field: "command", message }))),
    ...(template.ok ? findCompound(template.names, inputSchema) : []),
    ...findWrongDash(handler.allowDash, inputSchema),
    ...findWrongEnvironment(place),
  ];
  if (problems.length > 0 || !template.ok || folder?.ok === false) return problems;

  const { bind } = template;
  const fixed = folder?.absolute;
  // Rules read a line as bash; where sh may read it differently they must not believe what they read.
  const doubt = !place.trusted
    ? "nobody has trusted the plugin that it comes from"
    : template.portable
      ? undefined
      : "sh may read it differently than rules do";
  return {
    permission: "execute",
    capabilities: ["shell:run"],
    roles: rolesOf(inputSchema),
    timeoutMs: timeout.value,
    validate: (args) => {
      const bound = bind(args);
      return bound.ok ? undefined : bound.message;
    },
    derive: (args) => {
      const bound = bind(args);
      if (!bound.ok) return undefined;
      return {
        command: bound.line,
        ...(fixed !== undefined && { cwd: fixed }),
        ...(doubt !== undefined && { doubt }),
      };
    },
    run: async (args, context: ToolContext) => {
      const bound = bind(args);
      if (!bound.ok) return failed({ code: "invalid_input", message: bound.message });
      for (const warning of bound.warnings) context.note(warning);
      return runCommand(bound.args, { fixed, timeoutMs: timeout.value, place }, context);
    },
  };
}

/**
 * Fields that everybody calls paths or URLs are judged as such, because a program that rules do not know may
 * open what it is given. A field called `command` is no command here: it is one argument, and what runs is
 * told by `derive`.
 */
function rolesOf(inputSchema: JsonSchema): InputRoles {
  const names = Object.keys(propertiesOf(inputSchema));
  const among = (known: readonly string[]) => names.filter((name) => known.includes(name));
  return {
    path: among(conventionalRoles.path),
    url: among(conventionalRoles.url),
    content: among(conventionalRoles.content),
  };
}

function findCompound(names: readonly string[], inputSchema: JsonSchema): HandlerProblem[] {
  const properties = propertiesOf(inputSchema);
  return names
    .filter((name) => isCompound(properties[name]))
    .map((name) => ({
      field: "command",
      message: `{{${name}}} is a list or an object in the input schema; an argument of a command is text, a number or true/false.`,
    }));
}

function findWrongDash(allowDash: unknown, inputSchema: JsonSchema): HandlerProblem[] {
  if (allowDash === undefined || typeof allowDash === "boolean") return [];
  if (!Array.isArray(allowDash)) {
    const message = "allowDash must be true, false or a list of names of arguments.";
    return [{ field: "allowDash", message }];
  }
  const known = propertiesOf(inputSchema);
  return allowDash
    .filter((name) => typeof name !== "string" || !Object.hasOwn(known, name))
    .map((name) => ({
      field: "allowDash",
      message: `allowDash names ${JSON.stringify(name)}, which is not a property of the input schema.`,
    }));
}

function findWrongEnvironment({ env }: HandlerPlace): HandlerProblem[] {
  const environment = childEnvironment({ declared: env, source: {} });
  return environment.ok ? [] : [{ field: "env", message: environment.message }];
}
