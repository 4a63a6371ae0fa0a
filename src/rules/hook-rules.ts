/** Hooks checked once, before any call meets them. */
import type { Hook, HookOf, HookType } from "../core/call/hook.ts";
import { problemsOf, type RuleProblem } from "./check/rule-problem.ts";

export interface CompiledHooks {
  readonly before: readonly HookOf<"PreToolUse">[];
  readonly after: readonly HookOf<"PostToolUse">[];
  readonly onError: readonly HookOf<"OnError">[];
}

export function compileHooks(hooks: readonly Hook[], problems: RuleProblem[]): Hook[] {
  const names = new Set<string>();
  return hooks.filter((hook) => {
    const before = problems.length;
    const problem = problemsOf("hook", hook, problems);
    if (names.has(`${hook.type} ${hook.name}`))
      problem("the name is used twice for this type; records could not tell them apart.");
    names.add(`${hook.type} ${hook.name}`);
    if (typeof hook.run !== "function") problem("needs a run function.");
    if (hook.timeoutMs !== undefined && !(hook.timeoutMs > 0)) problem("timeoutMs must be above 0.");
    return problems.length === before;
  });
}

export function hooksByType(hooks: readonly Hook[]): CompiledHooks {
  return {
    before: ofType(hooks, "PreToolUse"),
    after: ofType(hooks, "PostToolUse"),
    onError: ofType(hooks, "OnError"),
  };
}

function ofType<Type extends HookType>(hooks: readonly Hook[], type: Type): HookOf<Type>[] {
  return hooks.filter((hook): hook is HookOf<Type> => hook.type === type);
}
