import assert from 'node:assert/strict';
import { readRetryAfter, readRetryAfterInBody } from '../../../src/service/retryAfter.ts';

const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);

describe('readRetryAfter', () => {
  const cases: readonly (readonly [title: string, headers: Record<string, string>, ms: number | undefined])[] = [
    ['whole seconds', { 'retry-after': '3' }, 3000],
    ['parts of seconds', { 'retry-after': '0.5' }, 500],
    ['a date', { 'retry-after': 'Fri, 20 Nov 2026 12:00:07 GMT' }, 7000],
    ['a date that has passed', { 'retry-after': 'Fri, 20 Nov 2026 11:59:00 GMT' }, 0],
    ['milliseconds before seconds', { 'retry-after': '3', 'retry-after-ms': '250' }, 250],
    ['seconds when the milliseconds are nonsense', { 'retry-after': '3', 'retry-after-ms': 'soon' }, 3000],
    ['a negative number as none', { 'retry-after': '-1' }, 0],
    ['nonsense as nothing', { 'retry-after': 'later' }, undefined],
    ['no header as nothing', {}, undefined],
  ];
  for (const [title, headers, ms] of cases) {
    it(`reads ${title}`, () => assert.equal(readRetryAfter(new Headers(headers), NOW), ms));
  }
});

describe('readRetryAfterInBody', () => {
  const cases: readonly (readonly [body: string, ms: number | undefined])[] = [
    ['{"error":{"details":[{"retryDelay":"37s"}]}}', 37_000],
    ['Please try again in 1m30.5s.', 90_500],
    ['Retry after 20 seconds', 20_000],
    ['Please try again in 350ms', 350],
    // syifan/thebotcompany#96
    ['{"error":{"message":"You have hit your usage limit. Try again in ~162 min."}}', 162 * 60_000],
    ['Your limit resets in about 2 hours', 2 * 3_600_000],
    ['The quota resets in 1h 5m', 65 * 60_000],
    // lidge-jun/opencodex#4024
    ['{"error":{"message":"请求过于频繁，请在 30 秒后重试"}}', 30_000],
    ['额度将于 2 小时后恢复', 2 * 3_600_000],
    ['Your limit will reset at 2026-11-20 12:05:00', 5 * 60_000],
    ['Your limit will reset at 2026-11-20T14:05:00+02:00', 5 * 60_000],
    ['It reset at 2026-11-20 11:05:00', undefined],
    ['Please try again later', undefined],
    ['Try again in a few months', undefined],
  ];
  for (const [body, ms] of cases) it(`reads ${body}`, () => assert.equal(readRetryAfterInBody(body, NOW), ms));
});
