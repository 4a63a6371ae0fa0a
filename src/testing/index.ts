/** For users' tests and ours: a gate whose time, ids and people are in the test's hands. */
export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export { createScriptedApprover, type ScriptedAnswer, type ScriptedApprover } from "./scripted-approver.ts";
export type {
  ModelMessage,
  ModelRequest,
  ModelToolCall,
  ModelToolResult,
} from "./scripted-model/conversation.ts";
export type {
  Script,
  ScriptedCall,
  ScriptedConversation,
  ScriptedReply,
  ScriptedTurn,
} from "./scripted-model/script.ts";
export { createScriptedModel, type ScriptedModel, type ScriptedModelOptions } from "./scripted-model.ts";
export { createTestGate, type TestGate, type TestGateOptions } from "./test-gate.ts";
