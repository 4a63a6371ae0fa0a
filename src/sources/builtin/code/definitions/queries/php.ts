/** What counts as a definition in PHP. */

export const php = `
(namespace_definition name: (_) @name) @namespace
(function_definition name: (_) @name) @function
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(trait_declaration name: (_) @name) @trait
(enum_declaration name: (_) @name) @enum
(method_declaration name: (_) @name) @method
(assignment_expression left: (variable_name) @name right: [(anonymous_function) (arrow_function)]) @function
`;
