import assert from 'node:assert/strict';
import type { ExchangeRecord } from '../../../../src/gateway/core/exchangeRecord.ts';
import { METRICS } from '../../../../src/gateway/telemetry/names.ts';
import { OtlpExporter } from '../../../../src/gateway/telemetry/otlpExporter.ts';
import { readOtlpSettings } from '../../../../src/gateway/telemetry/otlpSettings.ts';
import { Telemetry } from '../../../../src/gateway/telemetry/telemetry.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { type Answer, ScriptedService } from '../../../support/scriptedService.ts';
import { attributesOf, readMetrics, readTraces, type Span } from './otlpSchema.ts';
import { RECORD } from './records.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const accept: Answer = (response) => void response.writeHead(200).end('{}');
const answerWith =
  (status: number): Answer =>
  (response) =>
    void response.writeHead(status).end();

describe('exported telemetry', () => {
  const services: ScriptedService[] = [];
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
  });

  async function start(answers: readonly Answer[] = [accept], environment: Record<string, string> = {}) {
    const service = await ScriptedService.start(...answers);
    services.push(service);
    const clock = new ManualClock(RECORD.at);
    const problems: string[] = [];
    const settings = readOtlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: service.origin, ...environment });
    assert.ok(settings);
    const telemetry = new Telemetry({
      gauges: () => ({ active: 2, queued: 1 }),
      createExporter: (store, gauges) =>
        new OtlpExporter({ settings, store, gauges, clock, onProblem: (problem) => problems.push(problem) }),
    });
    const received = (kind: 'traces' | 'metrics') => service.requests.filter(({ path }) => path === `/v1/${kind}`);
    const spans = (read = readTraces): Span[] =>
      received('traces').flatMap(({ body }) =>
        read(body).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)),
      );
    return { service, clock, telemetry, problems, received, spans };
  }

  it('has a span for the request, with a child span for the request to the upstream', async () => {
    const { telemetry, spans } = await start();
    telemetry.record({ ...RECORD, traceParent: `00-${TRACE}-${PARENT}-01` });
    await telemetry.close();
    const [server, client] = spans();
    assert.deepEqual([server?.traceId, server?.parentSpanId, server?.kind], [TRACE, PARENT, 2]);
    assert.deepEqual([client?.traceId, client?.parentSpanId, client?.kind], [TRACE, server?.spanId, 3]);
    assert.equal(client?.name, 'chat fast');
    assert.equal(server?.startTimeUnixNano, '1800000000000000000');
    assert.equal(client?.startTimeUnixNano, '1800000000500000000');
    assert.equal(client?.endTimeUnixNano, '1800000002000000000');
    assert.deepEqual(client && attributesOf(client), {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'vendor',
      'gen_ai.request.model': 'fast',
      'gen_ai.response.model': 'small-1',
      'gen_ai.conversation.id': '0123456789abcdef',
      'gen_ai.usage.input_tokens': '1200',
      'gen_ai.usage.output_tokens': '34',
      'gen_ai.usage.cache_read.input_tokens': '1000',
      'http.response.status_code': '200',
      'model_access.local_key.id': 'ci',
      'model_access.caller_format': 'messages',
      'model_access.upstream_format': 'chat-completions',
      'model_access.cost': 0.0125,
      'model_access.end': 'completed',
    });
  });

  it('has no key that a caller or an upstream sends as the name of a model', async () => {
    const { telemetry, service } = await start();
    const key = 'key_of-somebody-0123456789';
    const traceParent = `00-${TRACE}-${PARENT}-01`;
    telemetry.record({ ...RECORD, traceParent, model: key, upstreamModel: key, answeredModel: key });
    await telemetry.close();
    const sent = service.requests.map(({ body }) => body).join('\n');
    assert.ok(sent.includes('chat key_…') && !sent.includes('of-somebody'), sent);
  });

  it('starts a new trace if the client has none, and omits those that are not sampled', async () => {
    const { telemetry, spans } = await start();
    for (const traceParent of ['nonsense', `00-${'0'.repeat(32)}-${PARENT}-01`])
      telemetry.record({ ...RECORD, traceParent });
    telemetry.record({ ...RECORD, traceParent: `00-${TRACE}-${PARENT}-00` });
    await telemetry.close();
    assert.equal(spans().length, 4);
    assert.equal(new Set(spans().map(({ traceId }) => traceId)).size, 2);
    assert.deepEqual(
      spans().map(({ parentSpanId }) => parentSpanId === undefined),
      [true, false, true, false],
    );
  });

  it('states why a request failed', async () => {
    const { telemetry, spans } = await start();
    const { queueMs: _, ...refused } = RECORD;
    telemetry.record({ ...refused, status: 429, end: 'refused' } satisfies ExchangeRecord);
    await telemetry.close();
    assert.deepEqual(
      spans().map(({ status }) => status),
      [{ code: 2, message: '429' }],
    );
  });

  it('has all metrics, including current values', async () => {
    const { telemetry, received } = await start();
    telemetry.record(RECORD);
    await telemetry.close();
    const { resourceMetrics } = readMetrics(received('metrics')[0]?.body ?? '');
    const metrics = resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? [];
    assert.deepEqual(
      metrics.map(({ name }) => name),
      Object.values(METRICS).map(({ name }) => name),
    );
    const active = metrics.find(({ name }) => name === 'model_access.requests.active');
    assert.ok(active && 'gauge' in active && active.gauge.dataPoints[0]?.asInt === '2');
    const duration = metrics.find(({ name }) => name === 'gen_ai.client.operation.duration');
    assert.ok(duration && 'histogram' in duration && duration.histogram.dataPoints[0]?.sum === 1.5);
  });

  it('follows the standard variables for its address, headers, and names', async () => {
    const { service, telemetry } = await start([accept], {
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc,x-tenant=me',
      OTEL_SERVICE_NAME: 'my-gateway',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_METRICS_EXPORTER: 'none',
    });
    telemetry.record(RECORD);
    await telemetry.close();
    assert.deepEqual(
      service.requests.map(({ path }) => path),
      ['/v1/traces'],
    );
    const { headers, body } = await service.request();
    assert.deepEqual([headers.authorization, headers['x-tenant']], ['Bearer abc', 'me']);
    assert.equal(headers['content-type'], 'application/json');
    assert.deepEqual(attributesOf(JSON.parse(body).resourceSpans[0].resource), {
      'service.name': 'my-gateway',
      'deployment.environment.name': 'test',
    });
  });

  it('is sent in the background at intervals', async () => {
    const { service, clock, telemetry, received } = await start();
    telemetry.record(RECORD);
    assert.deepEqual(service.requests, []);
    clock.advance(5_000);
    assert.equal((await service.request()).path, '/v1/traces');
    clock.advance(55_000);
    await service.request(1);
    assert.equal(received('metrics').length, 1);
    await telemetry.close();
  });

  it('is kept while a receiver is busy, reported once, and sent when it is back', async () => {
    const { service, clock, telemetry, problems, spans } = await start([answerWith(503), accept], {
      OTEL_METRICS_EXPORTER: 'none',
    });
    telemetry.record(RECORD);
    clock.advance(5_000);
    await (await service.request()).ended;
    await telemetry.close();
    assert.equal(new Set(spans().map(({ spanId }) => spanId)).size, 2);
    assert.equal(spans().length, 4);
    assert.deepEqual(problems, ['Could not send telemetry: HTTP 503. Requests are not affected.']);
  });

  it('is limited to 2,048 spans, dropping the oldest', async () => {
    const { telemetry, spans } = await start();
    for (let nth = 0; nth < 1_100; nth += 1) telemetry.record({ ...RECORD, model: `m${nth}` });
    await telemetry.close();
    // Other tests check the format, which takes long for so many.
    const kept = spans(JSON.parse);
    assert.equal(kept.length, 2_048);
    assert.deepEqual([kept[0]?.name, kept.at(-1)?.name], ['chat m76', 'chat m1099']);
  });

  it('does not affect requests if there is no receiver, which is reported once', async () => {
    const { service, clock, telemetry, problems } = await start();
    await service.close();
    services.splice(0);
    telemetry.record(RECORD);
    clock.advance(60_000);
    telemetry.record(RECORD);
    await telemetry.close();
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^Could not send telemetry: .*Requests are not affected\.$/);
  });
});

describe('the settings of exported telemetry', () => {
  it('are undefined without an endpoint, or if telemetry is switched off', () => {
    assert.equal(readOtlpSettings({}), undefined);
    assert.equal(
      readOtlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_SDK_DISABLED: 'true' }),
      undefined,
    );
  });

  it('use an endpoint for a signal unchanged', () => {
    const settings = readOtlpSettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/here' });
    assert.deepEqual([settings?.tracesUrl, settings?.metricsUrl], ['http://localhost:4318/here', undefined]);
  });

  it('are rejected with an invalid address or another protocol', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };
    assert.throws(
      () => readOtlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }),
      /"collector\/v1\/traces" is not/,
    );
    assert.throws(
      () => readOtlpSettings({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }),
      /grpc.*only http\/json/,
    );
  });
});
