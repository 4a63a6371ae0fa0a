/** What counts as a definition in Go. */

export const go = `
(function_declaration name: (_) @name) @function
(method_declaration name: (_) @name) @method
(type_spec name: (_) @name type: (struct_type)) @struct
(type_spec name: (_) @name type: (interface_type)) @interface
(type_spec name: (_) @name) @type
(type_alias name: (_) @name) @type
(interface_type (method_elem name: (_) @name) @method)
(var_spec name: (identifier) @name value: (expression_list (func_literal))) @function
`;
