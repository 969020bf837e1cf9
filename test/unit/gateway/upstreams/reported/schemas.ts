/** Schemas and names of tools that servers do not read. */
import {
  C,
  CM,
  codexTool,
  ENUM,
  error,
  gemini,
  hasWord,
  MC,
  parametersOf,
  R,
  RC,
  REFERRED,
  type ReportedRefusal,
  RM,
  reported,
  tool,
} from './reportedRefusal.ts';

export const SCHEMAS: readonly ReportedRefusal[] = [
  reported(
    'openswarm-ai/openswarm#24',
    MC,
    tool({
      $schema: 'x',
      type: 'object',
      properties: { a: { type: 'object', additionalProperties: {}, propertyNames: { type: 'string' } } },
      additionalProperties: false,
    }),
    gemini(
      'Invalid JSON payload received. Unknown name "$schema" at \'tools[0].function_declarations[0].parameters\': Cannot find field.',
    ),
    (body) => ['$schema', 'additionalProperties', 'propertyNames'].some((word) => hasWord(word)(body)),
  ),
  reported(
    'zed-industries/zed#44875',
    RC,
    codexTool({ type: 'object', properties: { a: { anyOf: [{ const: 'x' }, { const: 'y' }] } } }),
    gemini(
      'Invalid JSON payload received. Unknown name "const" at \'tools[0].function_declarations[0].parameters.properties[0].value.any_of[0]\': Cannot find field.',
    ),
    hasWord('const'),
  ),
  reported(
    'router-for-me/CLIProxyAPI#129',
    MC,
    tool(ENUM),
    gemini(
      "Invalid value at 'request.tools.function_declarations[45].parameters.properties[3].value.enum[0]' (TYPE_STRING), 1",
    ),
    (body) => parametersOf(body).properties.priority.enum?.[0] === 1,
  ),
  reported(
    'router-for-me/CLIProxyAPI#6011',
    MC,
    tool({ type: 'object', properties: { a: { type: ['array', 'string'], items: {} } } }),
    gemini(
      '* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[a].items: field predicate failed: $type == Type.ARRAY',
    ),
    (body) => Array.isArray(parametersOf(body).properties.a.type),
  ),
  reported(
    'kaitranntt/ccs#25',
    MC,
    tool({ type: 'object' }, '21st_builder'),
    gemini(
      'tools[0].function_declarations[53].name: [FIELD_INVALID] Invalid function name. Must start with a letter or an underscore.',
    ),
    ({ tools }) => !/^[a-z_]/i.test(tools[0].function.name),
  ),
  reported(
    'MoonshotAI/kimi-cli#2531',
    RC,
    { ...R, tools: [{ type: 'function', name: '21st_magic', parameters: { type: 'object' } }] },
    error(
      'Invalid request: function name is invalid, must start with a letter and can contain letters, numbers, underscores, and dashes',
    ),
    ({ tools }) => !/^[a-z]/i.test(tools[0].function.name),
  ),
  reported(
    'MoonshotAI/kimi-cli#2061',
    RC,
    codexTool({
      type: 'object',
      properties: { ref: { $ref: '#/$defs/ref', description: 'x' } },
      $defs: { ref: { type: 'object', description: 'y' } },
    }),
    error(
      "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.ref': conflicting keywords found after $ref expansion: description>",
    ),
    hasWord('$ref'),
  ),
  reported(
    'router-for-me/CLIProxyAPI#5316',
    RC,
    codexTool(REFERRED),
    error(
      "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path '$defs.__schema20': when using $ref, type should be defined in the referenced schema instead of the parent schema>",
    ),
    hasWord('$ref'),
  ),
  reported(
    'CommandCodeAI/command-code#594',
    MC,
    tool({
      type: 'object',
      properties: {
        a: { type: 'object', properties: { b: { type: 'number' } } },
        c: { $ref: '#/properties/a/properties/b' },
      },
    }),
    error(
      "Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.c.$ref': references must start with #/$defs/>",
    ),
    hasWord('$ref'),
  ),
  reported(
    'abhigyanpatwari/GitNexus#2703',
    MC,
    tool({ type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }, { properties: {} }] }),
    error(
      "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'root': when using anyOf, type should be defined in anyOf items instead of the parent schema>",
    ),
    (body) => parametersOf(body).anyOf !== undefined,
  ),
  reported(
    'openJiuwen-ai/jiuwenswarm#3942',
    MC,
    tool({
      type: 'object',
      properties: {
        q: {
          type: 'array',
          items: { type: 'object', properties: { o: { type: 'string', anyOf: [{ minLength: 1 }, { enum: ['x'] }] } } },
        },
      },
    }),
    error(
      "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.q.items.properties.o': when using anyOf, type should be defined in anyOf items instead of the parent schema>",
    ),
    (body) => parametersOf(body).properties.q.items.properties.o.type !== undefined,
  ),
  reported(
    'leookun/cursor-byok#362',
    RC,
    codexTool({ oneOf: [{ properties: { a: {} } }] }),
    error('Invalid request: tools.function.parameters.type is required and must be "object"'),
    (body) => parametersOf(body).type !== 'object',
  ),
  reported(
    'anthropics/claude-code#86664',
    CM,
    {
      ...C,
      tools: [
        {
          type: 'function',
          function: {
            name: 'run',
            parameters: { type: 'object', properties: { a: { type: 'number', exclusiveMinimum: true, minimum: 1 } } },
          },
        },
      ],
    },
    error('tools.17.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12.'),
    hasWord('exclusiveMinimum'),
  ),
  reported(
    'openclaw/openclaw#98588',
    RM,
    codexTool({ type: 'object', oneOf: [{ required: ['a'] }], properties: { a: {} } }),
    error('tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level'),
    (body) => parametersOf(body).oneOf !== undefined,
  ),
  reported(
    'livekit/agents#3134',
    RC,
    codexTool({ type: 'object' }, { strict: true }),
    error('Tools with strict=True are not supported by this model'),
    hasWord('strict'),
  ),
  reported(
    'lmstudio-ai/lmstudio-bug-tracker#2220',
    MC,
    tool({ type: 'object', properties: { a: { type: 'string', pattern: '^(?!x)' } } }),
    {
      error: {
        type: 'api_error',
        message:
          'Engine protocol predict request returned 400: {"error":{"code":400,"message":"Failed to initialize samplers: failed to parse grammar"}}',
      },
    },
    hasWord('pattern'),
    500,
  ),
  reported(
    'lidge-jun/opencodex#2135',
    MC,
    tool({ type: 'object', properties: { a: { type: 'string', pattern: '^\\d+$' } } }),
    error('Failed to initialize samplers: failed to parse grammar', { code: 400 }),
    hasWord('pattern'),
  ),
  reported(
    'NikkeTryHard/zerogravity#47',
    MC,
    tool({ type: 'object', properties: { a: { type: ['string', 'number'] } } }),
    gemini(
      'Invalid JSON payload received. Unknown name "type" at \'request.tools[1].function_declarations[25].parameters.properties[4].value\': Proto field is not repeating, cannot start list.',
    ),
    (body) => Array.isArray(parametersOf(body).properties.a.type),
  ),
];
