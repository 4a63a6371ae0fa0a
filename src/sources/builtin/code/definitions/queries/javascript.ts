/** What counts as a definition in JavaScript. */
import { heldByVariables } from "./ecmascript.ts";

export const javascript = `
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(method_definition name: (_) @name) @method
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @method
${heldByVariables}(assignment_expression left: (member_expression property: (_) @name) right: [(arrow_function) (function_expression)]) @function
`;
