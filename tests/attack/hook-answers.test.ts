/** What hooks print, read by the real reader and by broken ones: the cases must tell them apart. */
import { describe, expect, it } from "vitest";
import type { HookEvent, HookReply } from "../../src/core/call/hook.ts";
import { readPrinted } from "../../src/safe/command-hook/read-answer.ts";

type Reader = (printed: string, event: HookEvent) => HookReply;
type Meaning = "cancels" | "asks" | "text" | "nothing" | `fails: ${string}`;

const event: HookEvent = {
  callId: "c",
  calledAs: "Bash",
  toolUseId: undefined,
  sessionId: undefined,
  cwd: "/",
  preToolUse: { toolName: "shell.exec", parameters: {} },
};

const noJson = "fails: not valid JSON";
const several = "fails: 2 answers";

const cases: readonly (readonly [printed: string, meaning: Meaning])[] = [
  ["", "nothing"],
  ["{}", "nothing"],
  ['{"cancel": false}', "nothing"],
  ["Please run the tests afterwards.", "text"],
  ['{"cancel": true}', "cancels"],
  ['{"wasCancelled": true}', "cancels"],
  ['npm WARN old lock file\n{"cancel": true}', "cancels"],
  ['npm WARN old lock file\n{\n  "cancel": true\n}\n', "cancels"],
  ['{"cancel": true}\nDone in 0.1 s', "cancels"],
  ['{"cancel": true, "cansel": 1}', "cancels"],
  ['{"cancel": true, "errorMessage": 5}', "cancels"],
  ['{"decision": "block", "whatever": {}}', "cancels"],
  ['{"hookSpecificOutput": {"permissionDecision": "deny", "extra": 1}}', "cancels"],
  [
    '{"cancel": true, "decision": "approve", "hookSpecificOutput": {"permissionDecision": "allow"}}',
    "cancels",
  ],
  ['{"decision": "approve", "hookSpecificOutput": {"permissionDecision": "deny"}}', "cancels"],
  ['{"continue": false}', "cancels"],
  ['{"hookSpecificOutput": {"permissionDecision": "ask"}}', "asks"],
  ['{"hookSpecificOutput": {"permissionDecision": "allow"}}', "nothing"],
  // It looks like an answer and is none.
  ['{"cancel": true', noJson],
  ["{cancel: true}", noJson],
  ["{'cancel': true}", noJson],
  ["{'cancel': True}", noJson],
  ['stray\n{"cancel": tru}', noJson],
  ['Answer: {"cancel": false}', noJson],
  ['result: {"cancel": false}', noJson],
  ['"permissionDecision": "deny"', noJson],
  ['stray\n{"cancel": true,\n"x":\n{}\n', noJson],
  ['{"cancel": true,\n{}', noJson],
  ['{"cancel": true\n{}', noJson],
  ['{"cancel": false}}', noJson],
  ['{}\n"decision": "block"', noJson],
  // Anything in it refuses.
  ['{"cancel": true}}', "cancels"],
  ['{"cancel": true}\n{"cancel": false}', "cancels"],
  ['{"cancel": false}{"cancel": true}', "cancels"],
  ['{"cancel":true}{"cancel":true}', "cancels"],
  ['result: {"cancel": true}', "cancels"],
  ['Answer: {"cancel": true}', "cancels"],
  ['Answer: {"cancel": true}\n{}', "cancels"],
  ['{"cancel":true}\n{"contextModification":"all is well"}', "cancels"],
  ['{"contextModification":"all is well"}\n{\n  "cancel": true\n}', "cancels"],
  ['{"cancel":false} {"decision":"block"} {"cancel":false}', "cancels"],
  ['[{"cancel": true}]', "cancels"],
  ['[{"cancel":true}, {"cancel":false}]', "cancels"],
  ['log {x}\n{"hookSpecificOutput":{"permissionDecision":"deny"}}\n{"cancel":false}', "cancels"],
  // Several answers of which none refuses, or a list.
  ['{"cancel": false}\n{"cancel": false}', several],
  ['{"cancel":false}\n{"contextModification":"b"}\n', several],
  ['{"contextModification":"a"}{"contextModification":"b"}', several],
  ['{}\n{"modifiedParams":{"a":1}}', several],
  ['[{"cancel": false}]', "fails: a list"],
  ["[1]", "fails: a list"],
  // What cannot be understood.
  ['{"decision": "reject"}', "fails: "],
  ['{"decision": "perhaps"}', "fails: "],
  ['{"decision": "approve", "colour": "red"}', "fails: "],
  ['{"hookSpecificOutput": {"permissionDecision": "maybe"}}', "fails: "],
  ['{"hookSpecificOutput": {"permisionDecision": "deny"}}', "fails: "],
  ['{"hookSpecificOutput": {"updatedToolOutput": "x"}}', "fails: "],
  ['{"hookSpecificOutput": ["deny"]}', "fails: "],
  ['{"hookSpecificOutput": "deny"}', "fails: "],
  ['{"continue": "no"}', "fails: "],
];

function meaningOf(read: Reader, printed: string): string {
  try {
    const reply = read(printed, event);
    if (typeof reply === "string") return "text";
    if (reply?.cancel === true || reply?.wasCancelled === true) return "cancels";
    return reply?.ask === true ? "asks" : "nothing";
  } catch (error) {
    return `fails: ${(error as Error).message}`;
  }
}

/** A failure has to say what is wrong; everything else is one word. */
function isMeant(found: string, meaning: Meaning): boolean {
  if (!meaning.startsWith("fails: ")) return found === meaning;
  return found.startsWith("fails: ") && found.includes(meaning.slice("fails: ".length));
}

const broken: Record<string, Reader> = {
  "takes what it cannot read for text": (printed, given) => {
    try {
      return readPrinted(printed, given);
    } catch {
      return printed;
    }
  },
  "reads only output that is JSON from end to end": (printed, given) => {
    try {
      JSON.parse(printed);
    } catch {
      return printed;
    }
    return readPrinted(printed, given);
  },
  "takes any object it finds first": (printed) => {
    const found = /\{[^{}]*\}/.exec(printed);
    return found === null ? printed || undefined : (JSON.parse(found[0]) as object);
  },
  "ignores keys it does not know": (printed, given) => {
    try {
      const { cancel, decision, hookSpecificOutput } = JSON.parse(printed);
      return {
        cancel: cancel === true || decision === "block" || hookSpecificOutput?.permissionDecision === "deny",
      };
    } catch {
      return readPrinted(printed, given);
    }
  },
  "fails on every unknown key, refusal or not": (printed, given) => {
    if (/cansel|whatever|extra/.test(printed)) throw new Error("unknown key");
    return readPrinted(printed, given);
  },
  "lets the newer vocabulary win": (printed, given) =>
    readPrinted(printed.replace('"cancel": true, "decision"', '"decision"'), given),
};

describe("what a hook printed", () => {
  it.for(cases)("is read as it was meant: %j", ([printed, meaning]) => {
    const found = meaningOf(readPrinted, printed);
    expect(isMeant(found, meaning), `${found} instead of ${meaning}`).toBe(true);
  });

  it.each(Object.keys(broken))("is read wrongly by a reader that %s", (name) => {
    const read = broken[name] as Reader;
    expect(cases.filter(([printed, meaning]) => !isMeant(meaningOf(read, printed), meaning))).not.toEqual([]);
  });
});
