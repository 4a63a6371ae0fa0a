/** Looks for variables that switch the hooks off or lead them astray, in the settings and around us. */
import { visible } from "../../../core/text/visible.ts";
import type { Variables } from "../../agent.ts";
import { memberOf, membersOf } from "../../read-json-file.ts";
import { hookVariables, mayProjectSet } from "../../set-up/hook-variables.ts";
import { problem, type SetupFinding, warning } from "../../setup-finding.ts";
import type { ReadSettings } from "../set-up/settings-files.ts";

/** With these the client leaves its hooks out. */
const withoutHooks = /^CLAUDE_CODE_(?:SIMPLE|SAFE_MODE)$/i;

/**
 * They count before our script does, in the loader and in the shell: each can end the hook with 0 and no
 * answer. (`SHELLOPTS=noexec` runs nothing, a function may have the name of our file.)
 */
const beforeTheScript =
  /^(LD_.*|DYLD_.*|BASH_ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|ENV|ZDOTDIR|SHELL|CLAUDE_CODE_SHELL.*)$/i;

/** They say where the rules, the grants and the server are: with another value, other rules count. */
const whereRulesAre = /^(HOME|XDG_CONFIG_HOME|XDG_STATE_HOME|TOOLGATE_.*)$/i;

/**
 * In one's own settings only a warning: our script names its node by a full path and starts it with listed
 * variables. They count where `hook.cjs` is started without the script.
 */
const astray =
  /^(XDG_.*|PATH|NODE_(?!ENV$).*|OPENSSL_.*|IFS|PS4|CLAUDE_(?:CONFIG_DIR|PROJECT_DIR|PLUGIN_ROOT|CODE_SESSION_ID))$/i;

export function checkVariables({ file, level, read }: ReadSettings, env: Variables): SetupFinding[] {
  if (read.state !== "read") return [];
  const isOwn = level === "user" || level === "managed";
  return membersOf(memberOf(read.value, "env")).flatMap(([name, value]): SetupFinding[] => {
    if (withoutHooks.test(name))
      return [
        problem(
          "hooks-enabled",
          `${file} sets the variable ${name}, with which Claude Code runs no hooks.`,
          `Remove ${name} from "env" in ${file}.`,
        ),
      ];
    if (!isOwn) return mayProjectSet(name) ? [] : [describeForeign(name, file)];
    const opens = beforeTheScript.test(name) || (whereRulesAre.test(name) && value !== env[name]);
    return opens || astray.test(name) ? [describeOwn(name, file, opens)] : [];
  });
}

/** What a client that is started from here would inherit. Whether one is, nobody knows: a warning. */
export function checkEnvironment(env: Variables): SetupFinding[] {
  const inherited = /^(BASH_ENV|SHELLOPTS|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|CLAUDE_CODE_SHELL.*)$/;
  return Object.keys(env)
    .filter((name) => env[name] !== undefined && (withoutHooks.test(name) || inherited.test(name)))
    .map((name) => {
      const then = withoutHooks.test(name)
        ? "Claude Code runs no hooks if it is started with it."
        : "if Claude Code is started with it, it counts before the hook does and can take its place.";
      const todo = `Start Claude Code without it: env -u ${name} claude`;
      return warning("environment", `The variable ${name} is set here: ${then}`, todo);
    });
}

function describeOwn(name: string, file: string, opens: boolean): SetupFinding {
  const shown = visible(name, { maxLength: 100 });
  const message = leadsAstray(shown, file);
  return opens
    ? problem(
        "settings-env",
        message,
        `Remove ${shown} from "env" in ${file}; set it where you start the client, if you need it.`,
      )
    : warning("settings-env", message, `Keep ${shown} out of "env" unless you need it there.`);
}

function describeForeign(name: string, file: string): SetupFinding {
  // A repository chooses the name, too.
  const shown = visible(name, { maxLength: 100 });
  const isKnown = [beforeTheScript, whereRulesAre, astray].some((names) => names.test(name));
  if (isKnown || hookVariables.includes(name))
    return problem(
      "settings-env",
      leadsAstray(shown, file),
      `Look at it, and remove ${shown} from "env" in ${file}.`,
    );
  return problem(
    "settings-env",
    `${file} sets the variable ${shown}, which is not known to be harmless: the client hands it to the hook and to the shell that starts it.`,
    `Look at it. If you want it, set it in your own settings or where you start the client, and remove it from ${file}.`,
  );
}

function leadsAstray(shown: string, file: string): string {
  return `${file} sets the variable ${shown}, which can change which rules the hook reads or which program it is.`;
}
