/** What counts as a definition in JavaScript and in TypeScript alike: functions, classes and constants held by variables. */

export const heldByVariables = `
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
(variable_declarator name: (identifier) @name value: (class)) @class
(variable_declarator name: (identifier) @name
  value: (call_expression function: (identifier) arguments: (arguments . [(arrow_function) (function_expression)]))) @function
(variable_declarator name: (identifier) @name
  value: (call_expression
    function: (member_expression object: (identifier) @object (#eq? @object "React"))
    arguments: (arguments . [(arrow_function) (function_expression)]))) @function
(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
`;
