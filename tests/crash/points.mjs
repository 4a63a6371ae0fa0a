// The places where a process is killed, and how often each is passed in one round: which time it dies is chosen anew each round.

export const points = {
  "before-intent": 6,
  "intent-asked": 6,
  "intent-acknowledged": 6,
  "before-effect": 6,
  "after-effect": 6,
  "before-completion": 12,
  "completion-sent": 12,
  "completion-acknowledged": 12,
  "approval-asked": 3,
  "approval-claimed": 3,
  "transaction-written": 12,
  "transaction-committed": 12,
  answered: 12,
  "checkpoint-written": 2,
  "spool-taken": 1,
  "store-opening": 1,
  "store-closing": 1,
  "any-time": 0,
};
