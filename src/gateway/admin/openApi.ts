import * as z from 'zod/mini';
import { ADMIN_ROUTES, type AdminRoute, MODELS_OF_KEY, USAGE_OF_KEY } from './adminRoutes.ts';

/** Returns the OpenAPI description of all endpoints beside the models' API. */
export function openApiDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of ADMIN_ROUTES) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  for (const { path, summary, query } of [USAGE_OF_KEY, MODELS_OF_KEY]) {
    paths[`/api/v1${path}`] = {
      get: { summary, security: [{ localKey: [] }], parameters: queryParameters(query), responses: RESPONSES },
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

const RESPONSES = {
  200: { description: 'The answer.', content: { 'application/json': {}, 'text/csv': {} } },
  default: { description: 'An error.', content: { 'application/json': {} } },
};

function operation({ path, summary, status = 200, body, query = {} }: AdminRoute): object {
  const ofPath = path.includes('{name}')
    ? [{ name: 'name', in: 'path', required: true, description: 'Name or id.', schema: { type: 'string' } }]
    : [];
  const content = { 'application/json': {} };
  return {
    summary,
    parameters: [...ofPath, ...queryParameters(query)],
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: z.toJSONSchema(body, { io: 'input' }) } },
      },
    }),
    responses: {
      [status]: { description: summary, ...(status !== 204 && { content }) },
      default: { description: 'An error.', content },
    },
  };
}

function queryParameters(query: Readonly<Record<string, string>>): object[] {
  return Object.entries(query).map(([name, description]) => ({
    ...{ name, in: 'query', description },
    schema: { type: 'string' },
  }));
}
