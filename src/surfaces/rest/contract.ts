/** What goes over the wire, as types for clients, made of the schemas that the server validates by. */
import type { Static, TSchema } from "typebox";
import type { DeepReadonly } from "../../core/input/shape.ts";
import type * as approvals from "./schemas/approvals.ts";
import type * as console from "./schemas/console.ts";
import type * as events from "./schemas/events.ts";
import type * as insight from "./schemas/insight.ts";
import type * as ledger from "./schemas/ledger.ts";
import type * as preview from "./schemas/preview.ts";
import type * as rules from "./schemas/rules.ts";
import type * as server from "./schemas/server.ts";
import type * as items from "./schemas/session-items.ts";
import type * as sessions from "./schemas/sessions.ts";
import type * as shapes from "./schemas/shapes.ts";
import type * as suggestions from "./schemas/suggestions.ts";
import type * as tools from "./schemas/tools.ts";
import type * as upstreams from "./schemas/upstreams.ts";

type Of<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

export type Problem = Of<typeof shapes.problemBody>;
export type Refusal = Of<typeof shapes.refusal>;
export type RuleRef = Of<typeof shapes.ruleRef>;
export type ToolResult = Of<typeof shapes.toolResult>;

export type Tool = Of<typeof tools.toolEntry>;
export type ToolCounts = Of<typeof tools.toolCounts>;
export type ToolList = Of<typeof tools.toolList>;
export type ReloadResult = Of<typeof tools.reloadResult>;
export type CallBody = Of<typeof tools.callBody>;
export type CallOutcome = Of<typeof tools.callOutcome>;
export type ExplainBody = Of<typeof tools.explainBody>;
export type Explanation = Of<typeof tools.explanation>;
export type Category = Of<typeof tools.category>;
export type CategoryList = Of<typeof tools.categoryList>;

export type Upstream = Of<typeof upstreams.upstream>;
export type UpstreamList = Of<typeof upstreams.upstreamList>;
export type UpstreamReview = Of<typeof upstreams.upstreamReview>;
export type UpstreamAccepted = Of<typeof upstreams.upstreamAccepted>;

export type Approval = Of<typeof approvals.approval>;
export type ApprovalList = Of<typeof approvals.approvalList>;
export type AnswerBody = Of<typeof approvals.answerBody>;
export type Answered = Of<typeof approvals.answered>;
export type Grant = Of<typeof approvals.grant>;
export type GrantList = Of<typeof approvals.grantList>;

export type CallPreview = Of<typeof preview.callPreview>;
export type PreviewBody = Of<typeof preview.previewBody>;
export type PreviewCommand = Of<typeof preview.previewCommand>;
export type PreviewFile = Of<typeof preview.previewFile>;
export type PreviewPath = Of<typeof preview.previewPath>;
export type PreviewShell = Of<typeof preview.previewShell>;
export type PastCall = Of<typeof preview.pastCall>;
export type PastAnswers = Of<typeof preview.pastAnswers>;
export type ApprovalPreview = Of<typeof preview.approvalPreview>;

export type LedgerEntry = Of<typeof ledger.ledgerEntry>;
export type LedgerPage = Of<typeof ledger.ledgerPage>;
export type LedgerEntries = Of<typeof ledger.ledgerEntries>;
export type LedgerStats = Of<typeof ledger.ledgerStats>;
export type Verification = Of<typeof ledger.verification>;

export type HistogramQuery = Of<typeof insight.histogramQuery>;
export type Histogram = Of<typeof insight.histogram>;
export type Refusals = Of<typeof insight.refusals>;
export type QuestionsQuery = Of<typeof insight.questionsQuery>;
export type Questions = Of<typeof insight.questions>;
export type VerificationState = Of<typeof insight.verificationState>;

export type Route = Of<typeof rules.route>;
export type RouteList = Of<typeof rules.routeList>;
export type Policy = Of<typeof rules.policy>;
export type PolicyList = Of<typeof rules.policyList>;
export type Limit = Of<typeof rules.limit>;
export type LimitList = Of<typeof rules.limitList>;
export type Hook = Of<typeof rules.hook>;
export type HookList = Of<typeof rules.hookList>;

export type RuleHitsQuery = Of<typeof insight.hitsQuery>;
export type RuleHits = Of<typeof insight.ruleHits>;
export type ReplayBody = Of<typeof insight.replayBody>;
export type ReplayResult = Of<typeof insight.replayResult>;
export type RuleTestBody = Of<typeof insight.ruleTestBody>;
export type RuleTestReport = Of<typeof insight.ruleTestReport>;

export type Login = Of<typeof console.login>;
export type LoginBody = Of<typeof console.loginBody>;
export type LoginWays = Of<typeof console.loginWays>;
export type SignInStart = Of<typeof console.signInStart>;
export type SignInBody = Of<typeof console.signInBody>;
export type Token = Of<typeof console.token>;
export type TokenList = Of<typeof console.tokenList>;
export type TokenBody = Of<typeof console.tokenBody>;
export type GivenToken = Of<typeof console.givenToken>;
export type TokenRevoked = Of<typeof console.tokenRevoked>;
export type Agent = Of<typeof console.agent>;
export type AgentList = Of<typeof console.agentList>;

export type Session = Of<typeof sessions.session>;
export type SessionBody = Of<typeof sessions.startBody>;
export type SessionBudget = Of<typeof sessions.sessionBudget>;
export type SessionQuery = Of<typeof sessions.sessionQuery>;
export type SessionList = Of<typeof sessions.sessionList>;
export type SessionView = Of<typeof sessions.sessionView>;
export type SessionPrompt = Of<typeof sessions.prompt>;
export type MessageBody = Of<typeof sessions.messageBody>;
export type CancelBody = Of<typeof sessions.cancelBody>;
export type SessionRemoved = Of<typeof sessions.sessionRemoved>;
export type Runner = Of<typeof sessions.runner>;
export type RunnerList = Of<typeof sessions.runnerList>;
export type SessionItemKind = keyof typeof items.sessionItemData;
export type SessionItemData = {
  readonly [Kind in SessionItemKind]: Of<(typeof items.sessionItemData)[Kind]>;
};
/** One item of a session's log, in `SessionView` and, with its kind as the event, in the stream. */
export type SessionItem = {
  readonly [Kind in SessionItemKind]: {
    readonly kind: Kind;
    readonly id: string;
    readonly data: SessionItemData[Kind];
  };
}[SessionItemKind];
/** One event of `GET /api/sessions/:id/events`. Only items have an id. */
export type SessionStreamEvent =
  | SessionItem
  | { readonly kind: "session"; readonly data: Session }
  | { readonly kind: "message-delta"; readonly data: Of<typeof items.delta> }
  | { readonly kind: "reset"; readonly data: Of<typeof items.sessionReset> };

export type Me = Of<typeof server.me>;
export type Status = Of<typeof server.status>;

export type EventKind = events.EventKind;
export type EventData = { readonly [Kind in EventKind]: Of<(typeof events.eventData)[Kind]> };
/** One event of `GET /api/events`. */
export type ServerEvent = {
  readonly [Kind in EventKind]: { readonly kind: Kind; readonly id: string; readonly data: EventData[Kind] };
}[EventKind];

export type Suggestion = Of<typeof suggestions.suggestion>;
export type ShadowTally = Of<typeof suggestions.shadowTally>;
export type SuggestionReport = Of<typeof suggestions.suggestionReport>;
export type RankedScopes = Of<typeof suggestions.rankedScopes>;
