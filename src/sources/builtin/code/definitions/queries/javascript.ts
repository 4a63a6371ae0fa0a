/** What counts as a definition in JavaScript. */

export const javascript = `
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(method_definition name: (_) @name) @method
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
(variable_declarator name: (identifier) @name value: (class)) @class
(variable_declarator name: (identifier) @name
  value: (call_expression function: (identifier) arguments: (arguments . [(arrow_function) (function_expression)]))) @function
(variable_declarator name: (identifier) @name
  value: (call_expression
    function: (member_expression object: (identifier) @object (#eq? @object "React"))
    arguments: (arguments . [(arrow_function) (function_expression)]))) @function
(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(assignment_expression left: (member_expression property: (_) @name) right: [(arrow_function) (function_expression)]) @function
`;
