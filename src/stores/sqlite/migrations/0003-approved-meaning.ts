/** Step 3: a yes is bound to what the input meant: paths, the files of programs, the rule that asked. */

export const approvedMeaning = `
-- meaning: for people, secrets taken out. meaning_hash: of the real one, for the binding.
ALTER TABLE approvals ADD COLUMN meaning TEXT NOT NULL DEFAULT '{"paths":[],"programs":[]}';
ALTER TABLE approvals ADD COLUMN meaning_hash TEXT NOT NULL DEFAULT '';
ALTER TABLE grants ADD COLUMN meaning_hash TEXT NOT NULL DEFAULT '';
-- Nobody knows what those meant that were given before; whoever needs them is asked again.
DELETE FROM grants;
`;
