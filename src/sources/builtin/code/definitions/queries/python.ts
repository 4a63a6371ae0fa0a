/** What counts as a definition in Python. */

export const python = `
(class_definition name: (_) @name) @class
(function_definition name: (_) @name) @function
(assignment left: (identifier) @name right: (lambda)) @function
(type_alias_statement left: (type) @name) @type
`;
