/** What counts as a definition in Ruby. */

export const ruby = `
(class name: (_) @name) @class
(module name: (_) @name) @module
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(assignment left: (constant) @name right: (lambda)) @function
`;
