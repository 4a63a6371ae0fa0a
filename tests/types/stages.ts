/** Compiled by `npm run typecheck`: a stage takes only what the stage before it made, and nobody can hand-make an admitted call. */
import { Stop } from "../../src/core/call/errors.ts";
import type {
  HookedCall,
  LimitedCall,
  PermittedCall,
  ResolvedCall,
  RoutedCall,
  ValidCall,
} from "../../src/pipeline/calls.ts";
import type { GateParts } from "../../src/pipeline/parts.ts";
import { execute } from "../../src/pipeline/run/execute.ts";
import type { Finishing, RunEnd } from "../../src/pipeline/run/run-end.ts";
import { approve, type Recheck } from "../../src/pipeline/stages/approve.ts";
import { beforeHooks } from "../../src/pipeline/stages/before-hooks.ts";
import { limit } from "../../src/pipeline/stages/limit.ts";
import { permit } from "../../src/pipeline/stages/permit.ts";
import { route } from "../../src/pipeline/stages/route.ts";
import { validate } from "../../src/pipeline/stages/validate.ts";

declare const parts: GateParts;
declare const resolved: ResolvedCall;
declare const routed: RoutedCall;
declare const valid: ValidCall;
declare const hooked: HookedCall;
declare const permitted: PermittedCall;
declare const limited: LimitedCall;
declare const recheck: Recheck;
declare const finishing: Finishing<RunEnd>;

export async function theRightOrderCompiles(): Promise<void> {
  const one = route(resolved, parts);
  if (one instanceof Stop) return;
  const two = await validate(one, parts);
  if (two instanceof Stop) return;
  const three = await beforeHooks(two, parts);
  if (three instanceof Stop) return;
  const four = permit(three, parts);
  if (four instanceof Stop) return;
  const five = await limit(four, parts);
  if (five instanceof Stop) return;
  const six = await approve(five, recheck, parts);
  if (six instanceof Stop) return;
  await execute(six, finishing, parts);
}

export function aWrongOrderDoesNot(): void {
  // @ts-expect-error validate comes after route
  validate(resolved, parts);
  // @ts-expect-error hooks come after validate
  beforeHooks(routed, parts);
  // @ts-expect-error permit comes after the hooks
  permit(valid, parts);
  // @ts-expect-error limit comes after permit
  limit(hooked, parts);
  // @ts-expect-error approve comes after limit
  approve(permitted, recheck, parts);
  // @ts-expect-error execute takes only what approve admitted
  execute(limited, finishing, parts);
  // @ts-expect-error a Stop must be handled before the next stage
  permit(hooked as HookedCall | Stop, parts);
  // @ts-expect-error an admitted call cannot be made by hand
  execute({ call: limited, approval: undefined }, finishing, parts);
  // @ts-expect-error nor a routed one
  const made: RoutedCall = { ...resolved };
  void made;
}
