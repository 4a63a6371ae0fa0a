/** Step 4: what the ledger was told last about something that every start would tell again. */

export const toldStates = `
CREATE TABLE ledger_told (
  name TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;
`;
