/** What counts as a definition in C++, and in C, whose files are read as C++. */

export const cpp = `
(function_definition declarator: (function_declarator declarator: (_) @name)) @function
(function_definition declarator: (_ (function_declarator declarator: (_) @name))) @function
(function_definition declarator: (_ (_ (function_declarator declarator: (_) @name)))) @function
(function_definition declarator: (operator_cast) @name) @function
(declaration declarator: (function_declarator declarator: (_) @name)) @function
(declaration declarator: (_ (function_declarator declarator: (identifier) @name))) @function
(field_declaration declarator: (function_declarator declarator: (field_identifier) @name)) @method
(field_declaration declarator: (_ (function_declarator declarator: (field_identifier) @name))) @method
(class_specifier name: (_) @name body: (_)) @class
(struct_specifier name: (_) @name body: (_)) @struct
(union_specifier name: (_) @name body: (_)) @struct
(enum_specifier name: (_) @name body: (_)) @enum
(namespace_definition name: (_) @name) @namespace
(concept_definition name: (_) @name) @type
(alias_declaration name: (_) @name) @type
(type_definition declarator: (type_identifier) @name) @type
(preproc_function_def name: (_) @name) @macro
`;
