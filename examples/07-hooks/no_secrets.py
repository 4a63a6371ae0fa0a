"""A hook in Python, in the words of Claude Code: the same script works there, and here with `wire: claude-code`."""

import json
import re
import sys

call = json.load(sys.stdin)
command = call["tool_input"].get("command", "")
decision = {"hookEventName": "PreToolUse"}

if re.search(r"\bsudo\b", command):
    decision["permissionDecision"] = "ask"
    decision["permissionDecisionReason"] = "sudo is for people to allow."
elif re.search(r"AKIA[0-9A-Z]{16}", command):
    decision["permissionDecision"] = "deny"
    decision["permissionDecisionReason"] = "That is a key. Name the variable that holds it instead."
elif command == "ls":
    decision["permissionDecision"] = "allow"  # approves nothing here: policies decide
    decision["updatedInput"] = {"command": "ls -la"}

print(json.dumps({"hookSpecificOutput": decision}))
