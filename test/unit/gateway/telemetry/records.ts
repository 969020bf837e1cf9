import type { ExchangeRecord } from '../../../../src/gateway/core/exchangeRecord.ts';

export const RECORD: ExchangeRecord = {
  id: 'req_1',
  at: 1_800_000_000_000,
  localKeyId: 'ci',
  endpoint: '/messages',
  callerFormat: 'messages',
  model: 'fast',
  upstream: 'vendor',
  upstreamFormat: 'chat-completions',
  upstreamModel: 'small-1',
  status: 200,
  queueMs: 500,
  firstByteMs: 750,
  durationMs: 2_000,
  bytesIn: 10,
  bytesOut: 20,
  usage: { inputTokens: 1_200, outputTokens: 34, cachedInputTokens: 1_000 },
  cost: 0.0125,
  end: 'completed',
  sessionId: '0123456789abcdef',
};
