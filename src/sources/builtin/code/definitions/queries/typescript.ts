/** What counts as a definition in TypeScript, with and without JSX. */
import { heldByVariables } from "./ecmascript.ts";

export const typescript = `
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(function_signature name: (_) @name) @function
(class_declaration name: (_) @name) @class
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @enum
(internal_module name: (_) @name) @namespace
(module name: (_) @name) @namespace
(method_definition name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(interface_body (method_signature name: (_) @name) @method)
(class_body (method_signature name: (_) @name) @method)
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @method
${heldByVariables}`;
