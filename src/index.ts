/** toolgate: one gate that every tool call of an AI agent passes through. */
export type {
  AnswerResult,
  ApprovalAnswer,
  ApprovalBinding,
  ApprovalDesk,
  ApprovalEnd,
  ApprovalRequest,
  Approver,
  Grant,
  GrantScope,
  GrantStore,
} from "./core/approval.ts";
export type { CallContext, Caller, CallRequest, Mode, Progress } from "./core/call.ts";
export type { Category, CategoryChoice } from "./core/categories.ts";
export type { CommandJudge, CommandJudgement, JudgedCommand } from "./core/command.ts";
export { type Content, type ToolResult, textResult, toolResult } from "./core/content.ts";
export type { Elicit, ElicitAnswer, ElicitRequest } from "./core/elicit.ts";
export {
  type ErrorCode,
  errorCodes,
  type RuleRef,
  type RuleSource,
  type Stage,
  Stop,
  stages,
  ToolgateError,
} from "./core/errors.ts";
export type { EventName, GateEvents } from "./core/event.ts";
export type {
  CommandHook,
  Hook,
  HookAnswer,
  HookReply,
  OnErrorEvent,
  PostToolUseEvent,
  PreToolUseEvent,
} from "./core/hook.ts";
export type { InputRoles } from "./core/input-roles.ts";
export type { Json, JsonObject } from "./core/json.ts";
export type {
  LedgerAnchor,
  LedgerCount,
  LedgerCut,
  LedgerEntry,
  LedgerFilter,
  LedgerKind,
  LedgerPage,
  LedgerPageRequest,
  LedgerProblem,
  LedgerReader,
  LedgerStats,
  LedgerVerification,
  VerifiedAnchor,
} from "./core/ledger-reader.ts";
export type { LocatePath, Location } from "./core/location.ts";
export type {
  ApprovalRef,
  CheckResult,
  Explanation,
  Failure,
  Finding,
  Outcome,
  Success,
  Verdict,
} from "./core/outcome.ts";
export type { Permission } from "./core/permission.ts";
export type {
  Clock,
  Ids,
  Ledger,
  LedgerIntent,
  LedgerNote,
  LedgerRecord,
  LimitAnswer,
  LimitClaim,
  LimitStore,
  Spill,
} from "./core/ports.ts";
export type { RegisteredTool, ToolDefinition, ToolSource } from "./core/registry.ts";
export type { SandboxMode, SandboxRules } from "./core/sandbox-rules.ts";
export type { JsonSchema, Schema, StandardSchema, ValidationIssue, ValidationResult } from "./core/schema.ts";
export {
  type AnyTool,
  type DerivedValues,
  defineTool,
  type LockKind,
  type PartialBlock,
  type Tool,
  type ToolAnnotations,
  type ToolContext,
  type ToolServices,
} from "./core/tool.ts";
export { createGate } from "./create-gate.ts";
export { createPlugins, type Plugins, type PluginsOptions, type WatchListeners } from "./create-plugins.ts";
export type { Gate, PartialCall } from "./gate.ts";
export type { GateOptions, GateStore } from "./gate-options.ts";
export type { ToolView } from "./gate-tools.ts";
export {
  allowedToolNames,
  type McpServerConfigOptions,
  type SdkServerConfig,
  toMcpServerConfig,
} from "./mcp-server-config.ts";
export { openStore, type Store, type StoreOptions } from "./open-store.ts";
export type { Layer, LayerCall } from "./pipeline/layers/layer.ts";
export { loggingLayer } from "./pipeline/layers/logging.ts";
export { type Timing, timingLayer } from "./pipeline/layers/timing.ts";
export { createMemoryLedger } from "./redacted-ledger.ts";
export type { Condition } from "./rules/condition.ts";
export type { Limit } from "./rules/limits.ts";
export type { Policy } from "./rules/policies.ts";
export type { Route } from "./rules/routes.ts";
export type { Rules } from "./rules/rule-set.ts";
export type { RuleTest } from "./rules/rule-tests.ts";
export type { Tier } from "./rules/tiers.ts";
export type { PluginError, SkippedPlugin } from "./sources/plugins/plugin-error.ts";
export type { PluginReport } from "./sources/plugins/plugin-set.ts";
export type { PluginWatch } from "./sources/plugins/watch-plugins.ts";
export { verifyExport } from "./stores/ledger/verify-export.ts";
export { createMemoryGrants } from "./stores/memory-grants.ts";
export type { MemoryLedger } from "./stores/memory-ledger.ts";
export { createMemoryLimits } from "./stores/memory-limits.ts";
export { StoreError, type StoreProblem } from "./stores/sqlite/store-error.ts";
