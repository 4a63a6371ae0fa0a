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
} from "./core/call/approval.ts";
export type { CallContext, Caller, CallRequest, Mode, Progress } from "./core/call/call.ts";
export { type Content, type ToolResult, textResult, toolResult } from "./core/call/content.ts";
export type { Elicit, ElicitAnswer, ElicitRequest } from "./core/call/elicit.ts";
export {
  type ErrorCode,
  errorCodes,
  type RuleRef,
  type RuleSource,
  type Stage,
  Stop,
  stages,
  ToolgateError,
} from "./core/call/errors.ts";
export type { EventName, GateEvents } from "./core/call/event.ts";
export type {
  CommandHook,
  Hook,
  HookAnswer,
  HookReply,
  OnErrorEvent,
  PostToolUseEvent,
  PreToolUseEvent,
} from "./core/call/hook.ts";
export type {
  ApprovalRef,
  CheckResult,
  Explanation,
  Failure,
  Finding,
  Outcome,
  Success,
  Verdict,
} from "./core/call/outcome.ts";
export type { InputRoles } from "./core/input/input-roles.ts";
export type { Json, JsonObject } from "./core/input/json.ts";
export type { CommandJudge, CommandJudgement, JudgedCommand } from "./core/ports/command.ts";
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
} from "./core/ports/ledger-reader.ts";
export type { LocatePath, Location } from "./core/ports/location.ts";
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
} from "./core/ports/ports.ts";
export type {
  NewItem,
  SessionBudget,
  SessionEnd,
  SessionItem,
  SessionPage,
  SessionQuery,
  SessionRecord,
  SessionState,
  SessionStore,
} from "./core/ports/sessions.ts";
export { StoreError, type StoreProblem } from "./core/ports/store-error.ts";
export type { Right } from "./core/ports/tokens.ts";
export type { AcpKind } from "./core/tool/acp-kinds.ts";
export type { Category, CategoryChoice } from "./core/tool/categories.ts";
export type { Permission } from "./core/tool/permission.ts";
export type { RegisteredTool, ToolDefinition, ToolSource } from "./core/tool/registry.ts";
export type { SandboxMode, SandboxRules } from "./core/tool/sandbox-rules.ts";
export type {
  JsonSchema,
  Schema,
  StandardSchema,
  ValidationIssue,
  ValidationResult,
} from "./core/tool/schema.ts";
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
} from "./core/tool/tool.ts";
export type { Gate, PartialCall } from "./gate/gate.ts";
export type { GateStore } from "./gate/gate-options.ts";
export type { ToolView, Viewer } from "./gate/gate-tools.ts";
export type {
  AnswerTo,
  AnthropicToolResult,
  DefinitionOf,
  GeminiFunctionResponse,
  McpToolResult,
  ModelFormat,
  ObjectSchema,
  OpenAiFunctionOutput,
  OpenAiToolMessage,
} from "./gate/model/formats.ts";
export { type BuiltinChoice, createGate, type GateOptions } from "./open/create-gate.ts";
export {
  createPlugins,
  type Plugins,
  type PluginsOptions,
  type WatchListeners,
} from "./open/create-plugins.ts";
export { type OpenedStore as Store, openStore, type StoreOptions } from "./open/open-store.ts";
export { type PluginValidation, validatePlugin } from "./open/validate-plugin.ts";
export type { Layer, LayerCall } from "./pipeline/layers/layer.ts";
export { loggingLayer } from "./pipeline/layers/logging.ts";
export { type Timing, timingLayer } from "./pipeline/layers/timing.ts";
export type { Condition } from "./rules/conditions/condition.ts";
export type { Limit } from "./rules/limits.ts";
export type { Policy } from "./rules/policies.ts";
export type { Route } from "./rules/routes.ts";
export type { Rules } from "./rules/rule-set.ts";
export type { HiddenTools } from "./rules/shapes/hidden-shape.ts";
export type { RuleTest } from "./rules/shapes/test-shape.ts";
export type { Tier } from "./rules/tiers.ts";
export {
  createSessions,
  type SendMessage,
  type SessionResult,
  type Sessions,
  type SessionsOptions,
} from "./sessions/create-sessions.ts";
export {
  type Agent,
  type Runner,
  RunnerError,
  type RunnerSession,
  type Turn,
  type TurnEnd,
} from "./sessions/runner.ts";
export { type AcpRunnerOptions, createAcpRunner } from "./sessions/runners/acp/create-acp-runner.ts";
export { type ChatRunnerOptions, createChatRunner } from "./sessions/runners/chat/chat-runner.ts";
export {
  type ClaudeRunnerOptions,
  createClaudeRunner,
} from "./sessions/runners/claude/create-claude-runner.ts";
export type { AgentCall, AgentResult, SessionCalls } from "./sessions/session-calls.ts";
export type { SessionEvent, SessionEventName } from "./sessions/session-event.ts";
export type { SessionProblem, SessionProblemCode } from "./sessions/session-problem.ts";
export { createSessionSpawner, type SessionSpawner } from "./sessions/session-spawner.ts";
export type { StartSession } from "./sessions/start/start-session.ts";
export type { PluginError, SkippedPlugin } from "./sources/plugins/plugin-error.ts";
export type { PluginReport } from "./sources/plugins/plugin-set.ts";
export type { PluginWatch } from "./sources/plugins/watch-plugins.ts";
export { verifyExport } from "./stores/anchors/verify-export.ts";
export { createMemoryGrants } from "./stores/memory/memory-grants.ts";
export type { MemoryLedger } from "./stores/memory/memory-ledger.ts";
export { createMemoryLimits } from "./stores/memory/memory-limits.ts";
export { createMemoryLedger } from "./stores/memory/redacted-ledger.ts";
export {
  allowedToolNames,
  type McpServerConfigOptions,
  type SdkServerConfig,
  toMcpServerConfig,
} from "./surfaces/mcp/mcp-server-config.ts";
export {
  createHttpHandler,
  type FoundToken,
  type HandlerLimits,
  type HandlerMcpOptions,
  type HandlerToken,
  type HttpHandler,
  type HttpHandlerOptions,
} from "./surfaces/serve/create-http-handler.ts";
