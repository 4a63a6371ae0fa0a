/** What counts as a definition in each language, by the name of its grammar. */

/** JavaScript and TypeScript alike: functions, classes and constants held by variables. */
const heldByVariables = `
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

const typescript = `
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

export const queries = {
  bash: `
(function_definition name: (_) @name) @function
`,
  "c-sharp": `
(namespace_declaration name: (_) @name) @namespace
(class_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @struct
(interface_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(delegate_declaration name: (_) @name) @type
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(destructor_declaration name: (_) @name) @method
(property_declaration name: (_) @name) @property
`,
  /** C is read as C++. */
  cpp: `
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
`,
  go: `
(function_declaration name: (_) @name) @function
(method_declaration name: (_) @name) @method
(type_spec name: (_) @name type: (struct_type)) @struct
(type_spec name: (_) @name type: (interface_type)) @interface
(type_spec name: (_) @name) @type
(type_alias name: (_) @name) @type
(interface_type (method_elem name: (_) @name) @method)
(var_spec name: (identifier) @name value: (expression_list (func_literal))) @function
`,
  java: `
(class_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(annotation_type_declaration name: (_) @name) @interface
(enum_declaration name: (_) @name) @enum
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(compact_constructor_declaration name: (_) @name) @method
(field_declaration declarator: (variable_declarator name: (_) @name value: (lambda_expression))) @method
`,
  javascript: `
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(method_definition name: (_) @name) @method
(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @method
${heldByVariables}(assignment_expression left: (member_expression property: (_) @name) right: [(arrow_function) (function_expression)]) @function
`,
  php: `
(namespace_definition name: (_) @name) @namespace
(function_definition name: (_) @name) @function
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @interface
(trait_declaration name: (_) @name) @trait
(enum_declaration name: (_) @name) @enum
(method_declaration name: (_) @name) @method
(assignment_expression left: (variable_name) @name right: [(anonymous_function) (arrow_function)]) @function
`,
  python: `
(class_definition name: (_) @name) @class
(function_definition name: (_) @name) @function
(assignment left: (identifier) @name right: (lambda)) @function
(type_alias_statement left: (type) @name) @type
`,
  ruby: `
(class name: (_) @name) @class
(module name: (_) @name) @module
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(assignment left: (constant) @name right: (lambda)) @function
`,
  rust: `
(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name) @struct
(union_item name: (_) @name) @struct
(enum_item name: (_) @name) @enum
(trait_item name: (_) @name) @trait
(impl_item type: (_) @name) @impl
(type_item name: (_) @name) @type
(mod_item name: (_) @name body: (_)) @module
(macro_definition name: (_) @name) @macro
`,
  tsx: typescript,
  typescript,
};
