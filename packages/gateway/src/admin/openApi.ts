import * as z from 'zod/mini';
import { ERROR_ANSWER } from './adminAnswers.ts';
import { ADMIN_ROUTES, type AdminRoute, MODELS_OF_KEY, USAGE_OF_KEY } from './adminRoutes.ts';

/** Returns the OpenAPI description of all endpoints beside the models' API. */
export function openApiDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of ADMIN_ROUTES) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  for (const { path, summary, query, result } of [USAGE_OF_KEY, MODELS_OF_KEY]) {
    const responses = responsesOf({ result, query });
    paths[`/api/v1${path}`] = {
      get: { summary, security: [{ localKey: [] }], parameters: queryParameters(query), responses },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Model Access gateway: administration', version: '1' },
    security: [{ adminKey: [] }],
    paths,
    components: {
      securitySchemes: {
        adminKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The admin key, from --admin-key-file or MODEL_ACCESS_ADMIN_KEY.',
        },
        localKey: { type: 'http', scheme: 'bearer', description: 'A key that is stored in the database.' },
      },
    },
  };
}

function operation(route: AdminRoute): object {
  const { path, summary, body, query = {} } = route;
  const ofPath = path.includes('{name}')
    ? [{ name: 'name', in: 'path', required: true, description: 'Name or id.', schema: { type: 'string' } }]
    : [];
  return {
    summary,
    parameters: [...ofPath, ...queryParameters(query)],
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(body, 'input') } },
      },
    }),
    responses: responsesOf(route),
  };
}

function responsesOf({ status = 200, result, query }: Pick<AdminRoute, 'status' | 'result' | 'query'>): object {
  const json = result && { 'application/json': { schema: schemaOf(result, 'output') } };
  const table = query !== undefined && 'format' in query && { 'text/csv': { schema: { type: 'string' } } };
  return {
    [status]: { description: 'Success.', ...(json && { content: { ...json, ...table } }) },
    default: {
      description: 'An error.',
      content: { 'application/json': { schema: schemaOf(ERROR_ANSWER, 'output') } },
    },
  };
}

/** Later releases can add members to answers, so clients must not refuse them. */
function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): object {
  const { $schema, ...described } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      if (io === 'output') delete jsonSchema.additionalProperties;
    },
  });
  return described;
}

function queryParameters(query: Readonly<Record<string, string>>): object[] {
  return Object.entries(query).map(([name, description]) => ({
    ...{ name, in: 'query', description },
    schema: { type: 'string' },
  }));
}
