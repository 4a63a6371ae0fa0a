/** What hooks print, read by the real reader and by broken ones: the cases must tell them apart. */
import { describe, expect, it } from "vitest";
import type { HookEvent, HookReply } from "../../src/core/call/hook.ts";
import { readPrinted } from "../../src/safe/command-hook/read-answer.ts";

type Reader = (printed: string, event: HookEvent) => HookReply;
type Meaning = "cancels" | "asks" | "fails" | "text" | "nothing";

const event: HookEvent = {
  callId: "c",
  calledAs: "Bash",
  toolUseId: undefined,
  sessionId: undefined,
  cwd: "/",
  preToolUse: { toolName: "shell.exec", parameters: {} },
};

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
  ['{"cancel": true', "fails"],
  ['{"cancel": true}}', "cancels"],
  ['{"cancel": true}\n{"cancel": false}', "cancels"],
  ['{"cancel": false}{"cancel": true}', "cancels"],
  ['{"cancel": false}\n{"cancel": false}', "fails"],
  ['{"cancel": false}}', "fails"],
  ["{'cancel': true}", "fails"],
  ['result: {"cancel": true}', "cancels"],
  ['result: {"cancel": false}', "fails"],
  ['{"cancel": true,\n{}', "fails"],
  ['{"decision": "reject"}', "fails"],
  ['{"hookSpecificOutput": {"permisionDecision": "deny"}}', "fails"],
  ['{"hookSpecificOutput": ["deny"]}', "fails"],
  ['[{"cancel": true}]', "cancels"],
  ['[{"cancel": false}]', "fails"],
];

/** The cases in which a reader is wrong. */
function wrongIn(read: Reader): string[] {
  return cases
    .filter(([printed, meaning]) => meaningOf(read, printed) !== meaning)
    .map(([printed]) => printed);
}

function meaningOf(read: Reader, printed: string): Meaning {
  try {
    const reply = read(printed, event);
    if (typeof reply === "string") return "text";
    if (reply?.cancel === true || reply?.wasCancelled === true) return "cancels";
    return reply?.ask === true ? "asks" : "nothing";
  } catch {
    return "fails";
  }
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
  it("is read as it was meant", () => {
    expect(wrongIn(readPrinted)).toEqual([]);
  });

  it.each(Object.keys(broken))("is read wrongly by a reader that %s", (name) => {
    expect(wrongIn(broken[name] as Reader)).not.toEqual([]);
  });
});
