/** What counts as a definition in shell scripts. */

export const bash = `
(function_definition name: (_) @name) @function
`;
