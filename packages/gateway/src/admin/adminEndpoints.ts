import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { FormatError } from '../../../../src/formats/apiError.ts';
import { parseJson } from '../../../../src/formats/json.ts';
import { discardBody, readBody } from '../../../../src/gateway/http/requestBody.ts';
import type { KeySource } from '../../../../src/gateway/keys/keyRing.ts';
import { LocalKeyError } from '../../../../src/gateway/keys/keyTerms.ts';
import { sentSecrets } from '../../../../src/gateway/keys/sentSecrets.ts';
import { AdminError } from '../postgres/admin/adminError.ts';
import { type TeamUsageLine, usageCsv } from '../postgres/admin/usageReport.ts';
import { DatabaseError } from '../postgres/databaseError.ts';
import { ERROR_ANSWER } from './adminAnswers.ts';
import {
  ADMIN_ROUTES,
  type AdminParts,
  type AdminRoute,
  MODELS_OF_KEY,
  readQuestion,
  USAGE_OF_KEY,
} from './adminRoutes.ts';

export interface AdminEndpointsOptions extends AdminParts {
  /** If undefined, every request to `/admin` is refused. */
  readonly adminKey?: string | undefined;
  readonly keySource: KeySource;
  readonly onError: (error: unknown) => void;
}

const BODY_LIMITS = { maxBytes: 64 * 1024, timeoutMs: 10_000 };
const OWN_USAGE = /^(?:\/api)?(?:\/v1)?(\/usage(?:\/models)?)$/;
const ADMINISTRATION = '/admin/';
const OPEN_API = '/admin/openapi.json';

/** Answers paths beside the models' API: administration under `/admin`, and the usage of the requesting key. */
export class AdminEndpoints {
  readonly #options: AdminEndpointsOptions;

  constructor(options: AdminEndpointsOptions) {
    this.#options = options;
  }

  /**
   * @param onRefused called if the sender of the request is unknown, with the reason.
   * @returns false if the path is not one of these.
   */
  answer(request: IncomingMessage, response: ServerResponse, onRefused: (reason: string) => void): boolean {
    const { url: written = '' } = request;
    const url = URL.parse(written, 'http://gateway');
    const path = url?.pathname ?? '';
    const usage = OWN_USAGE.exec(path)?.[1];
    // A proxy that keeps the administration private denies paths as they are written.
    const isAdministration = written.startsWith(ADMINISTRATION) && path.startsWith(ADMINISTRATION);
    if (url === null || !(isAdministration || usage !== undefined)) return false;
    const answered =
      usage === undefined ? this.#administer(request, url, onRefused) : this.#showUsage(request, url, usage, onRefused);
    answered
      .catch((error: unknown) => this.#failure(error))
      .then((answer) => {
        send(response, answer);
        discardBody(request);
      })
      .catch(this.#options.onError);
    return true;
  }

  async #administer(request: IncomingMessage, url: URL, onRefused: (reason: string) => void): Promise<AdminAnswer> {
    if (!this.#isAdmin(request)) {
      onRefused(sentSecrets(request.headers).length === 0 ? 'no admin key' : 'an unknown admin key');
      return problem(401, 'Send the admin key as "Authorization: Bearer ...".');
    }
    if (url.pathname === OPEN_API) return { status: 200, body: openApiDocument() };
    const routes = ADMIN_ROUTES.filter(({ path }) => targetIn(url.pathname, path) !== undefined);
    const route = routes.find(({ method }) => method === request.method);
    if (route === undefined) {
      return routes.length === 0
        ? problem(404, `This path does not exist. ${OPEN_API} lists the paths.`)
        : problem(405, `This path supports only ${routes.map(({ method }) => method).join(', ')}.`);
    }
    const body = route.body === undefined ? undefined : await readJson(request);
    const target = targetIn(url.pathname, route.path) ?? '';
    const result = await route.answer(this.#options, { target, query: url.searchParams, body });
    return answerOf(route, result, url);
  }

  async #showUsage(
    request: IncomingMessage,
    url: URL,
    path: string,
    onRefused: (reason: string) => void,
  ): Promise<AdminAnswer> {
    if (request.method !== 'GET') return problem(405, `${path} supports only GET.`);
    const admission = await this.#options.keySource.identify(request.headers);
    if (!admission.ok) {
      onRefused(admission.refusal.reason ?? 'an unknown local key');
      const { status = 401, message } = admission.refusal.error;
      return problem(status, message, admission.refusal.headers);
    }
    const parameters = path === MODELS_OF_KEY.path ? MODELS_OF_KEY.query : undefined;
    const question = { ...readQuestion(url.searchParams, parameters), key: admission.key.id };
    if (parameters !== undefined) return { status: 200, body: await this.#options.reportModels(question) };
    const data = await this.#options.reportUsage(question);
    return wantsCsv(url) ? csvOf(data, url) : { status: 200, body: { data } };
  }

  #isAdmin({ headers }: IncomingMessage): boolean {
    const { adminKey } = this.#options;
    if (adminKey === undefined) return false;
    const digest = (text: string) => hash('sha256', text, 'buffer');
    return sentSecrets(headers).some((secret) => timingSafeEqual(digest(secret), digest(adminKey)));
  }

  #failure(error: unknown): AdminAnswer {
    if (error instanceof AdminError) return problem(STATUS_OF_PROBLEM[error.problem], error.message);
    if (error instanceof LocalKeyError || error instanceof FormatError) return problem(400, error.message);
    // For example, a day that does not exist, or a character that PostgreSQL's text type does not allow.
    if (error instanceof DatabaseError && error.problem === 'data') return problem(400, error.message);
    if (error instanceof DatabaseError && error.problem === 'away')
      return problem(503, error.message, { 'retry-after': '5' });
    this.#options.onError(error);
    return problem(500, 'The gateway failed. See its log for details.');
  }
}

const STATUS_OF_PROBLEM = { unknown: 404, taken: 409, invalid: 400 } as const;

interface AdminAnswer {
  readonly status: number;
  /** An object is sent as JSON, a string as CSV. Undefined for an empty body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
}

function problem(status: number, message: string, headers?: Readonly<Record<string, unknown>>): AdminAnswer {
  return { status, body: { error: { message } }, ...(headers !== undefined && { headers }) };
}

function send(response: ServerResponse, { status, body, headers = {} }: AdminAnswer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('cache-control', 'no-store');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  if (body !== undefined) {
    response.setHeader('content-type', typeof body === 'string' ? 'text/csv; charset=utf-8' : 'application/json');
  }
  response.end(body === undefined ? undefined : text);
}

/**
 * @returns the text in place of `{name}`, an empty string for a pattern without it, and `undefined` if the path does
 *   not match.
 */
function targetIn(path: string, pattern: string): string | undefined {
  const [before = '', after] = pattern.split('{name}');
  if (after === undefined) return path === pattern ? '' : undefined;
  if (!path.startsWith(before) || !path.endsWith(after)) return undefined;
  const name = path.slice(before.length, path.length - after.length);
  return name === '' || name.includes('/') ? undefined : decoded(name);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, BODY_LIMITS);
  const value = typeof body === 'string' ? undefined : parseJson(body.toString());
  if (value === undefined) throw new AdminError('invalid', 'Send a JSON object of at most 64 KB.');
  return value;
}

function answerOf({ status = 200, query }: AdminRoute, result: unknown, url: URL): AdminAnswer {
  if (query !== undefined && wantsCsv(url)) return csvOf((result as { data: readonly TeamUsageLine[] }).data, url);
  return status === 204 ? { status } : { status, body: result };
}

function wantsCsv(url: URL): boolean {
  return url.searchParams.get('format') === 'csv';
}

function csvOf(data: readonly TeamUsageLine[], url: URL): AdminAnswer {
  return { status: 200, body: usageCsv(data, readQuestion(url.searchParams).by) };
}

/** Returns the OpenAPI description of all endpoints beside the models' API. */
function openApiDocument(): object {
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
