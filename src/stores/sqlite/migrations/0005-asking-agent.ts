/** Step 5: which agent asks, with its version, its own name of the tool, and its sub-agent. */

export const askingAgent = `
-- JSON, secrets taken out. NULL: no agent runs the tool itself.
ALTER TABLE approvals ADD COLUMN agent TEXT;
`;
