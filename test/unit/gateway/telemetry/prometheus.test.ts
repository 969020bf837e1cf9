import assert from 'node:assert/strict';
import { Telemetry } from '../../../../src/gateway/telemetry/telemetry.ts';
import { RECORD } from './records.ts';

const start = () => new Telemetry({ gauges: () => ({ active: 3, queued: 1 }) });
const LABELS =
  'gen_ai_operation_name="chat",gen_ai_provider_name="vendor",gen_ai_request_model="fast",gen_ai_response_model="small-1",model_access_local_key_id="ci"';

describe('the metrics page', () => {
  it('has durations, tokens, and cost by model, provider, and key', () => {
    const telemetry = start();
    telemetry.record(RECORD);
    telemetry.record({ ...RECORD, durationMs: 600, usage: { inputTokens: 4, outputTokens: 2 }, cost: 0.5 });
    const lines = telemetry.page.split('\n');
    for (const line of [
      '# TYPE gen_ai_server_request_duration_seconds histogram',
      `gen_ai_server_request_duration_seconds_bucket{${LABELS},le="0.64"} 1`,
      `gen_ai_server_request_duration_seconds_bucket{${LABELS},le="2.56"} 2`,
      `gen_ai_server_request_duration_seconds_bucket{${LABELS},le="+Inf"} 2`,
      `gen_ai_server_request_duration_seconds_sum{${LABELS}} 2.6`,
      `gen_ai_client_operation_duration_seconds_sum{${LABELS}} 1.6`,
      `gen_ai_server_time_to_first_token_seconds_count{${LABELS}} 2`,
      `gen_ai_client_token_usage_sum{${LABELS},gen_ai_token_type="input"} 1204`,
      `gen_ai_client_token_usage_sum{${LABELS},gen_ai_token_type="output"} 36`,
      `gen_ai_client_token_usage_bucket{${LABELS},gen_ai_token_type="input",le="4"} 1`,
      `model_access_cost_usd_total{${LABELS}} 0.5125`,
      `model_access_requests_total{${LABELS},model_access_end="completed"} 2`,
      'model_access_requests_active 3',
      'model_access_requests_queued 1',
    ]) {
      assert.ok(lines.includes(line), `${line}\n\n${telemetry.page}`);
    }
  });

  it('has one line per sample, in the Prometheus format', () => {
    const telemetry = start();
    telemetry.record({ ...RECORD, model: 'a "b"\\\nc' });
    const sample = /^[a-z_]+(\{([a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)+\})? [\d.e+-]+$/;
    for (const line of telemetry.page.trimEnd().split('\n')) {
      assert.ok(/^# (HELP|TYPE) [a-z_]+ .+$/.test(line) || sample.test(line), line);
    }
  });

  it('has no key that a caller or an upstream sends as the name of a model', () => {
    const telemetry = start();
    const key = 'key_of-somebody-0123456789';
    telemetry.record({ ...RECORD, model: key, answeredModel: `${key}/x` });
    assert.ok(!telemetry.page.includes('of-somebody'), telemetry.page);
    assert.match(telemetry.page, /gen_ai_request_model="key_…"/);
  });

  it('has the error type of failed requests', () => {
    const telemetry = start();
    telemetry.record({ ...RECORD, status: 429, end: 'refused' });
    telemetry.record({ ...RECORD, end: 'clientLeft' });
    assert.match(telemetry.page, /error_type="429"/);
    assert.match(telemetry.page, /error_type="client_left"/);
  });

  it('does not count model lists, balances, and token counts', () => {
    const telemetry = start();
    for (const endpoint of ['/models', '/balance', '/messages/count_tokens'] as const) {
      telemetry.record({ ...RECORD, endpoint });
    }
    assert.ok(!telemetry.page.includes('vendor'));
  });

  it('combines models beyond 2,000 names, which callers choose', () => {
    const telemetry = start();
    for (let nth = 0; nth < 2_500; nth += 1) telemetry.record({ ...RECORD, model: `m${nth}` });
    const counts = telemetry.page.split('\n').filter((line) => line.startsWith('model_access_requests_total'));
    assert.equal(counts.length, 2_001);
    assert.equal(counts.at(-1), 'model_access_requests_total{otel_metric_overflow="true"} 500');
  });
});
