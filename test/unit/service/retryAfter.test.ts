import assert from 'node:assert/strict';
import { readRetryAfter } from '../../../src/service/retryAfter.ts';

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
