import assert from 'node:assert/strict';
import type { TrafficRow, ViewContext } from '../../../../src/pages/traffic/protocol.ts';
import { endWord, keyName, spanWord, toolName } from '../../../../src/panels/traffic/words.ts';

const SURROUNDINGS = { keyNames: { a: 'Notebook', b: 'default' } } as unknown as ViewContext;
const ROW: TrafficRow = { id: 'x', at: 0, source: 'gateway', durationMs: 1, client: 'curl' };

describe('the tool column of the traffic list', () => {
  it('shows the local key by its user-defined name', () => {
    assert.equal(toolName({ ...ROW, localKeyId: 'a' }, SURROUNDINGS), 'Notebook');
  });

  it('shows the client program if the key has no tool name, or if there was no key', () => {
    assert.equal(toolName({ ...ROW, localKeyId: 'b' }, SURROUNDINGS), 'curl');
    assert.equal(toolName(ROW, SURROUNDINGS), 'curl');
  });

  it('shows a revoked key with the beginning of its id, as in the usage view', () => {
    assert.equal(toolName({ ...ROW, localKeyId: '1f9be07a-0000-4000' }, SURROUNDINGS), 'Revoked key 1f9be07a');
  });

  it('shows the key of the sample session, which is in no list, as its client', () => {
    assert.equal(keyName({ localKeyId: 'sample-agent' }, SURROUNDINGS), 'Sample agent');
  });

  it('shows the client program while the names of the keys are unknown', () => {
    assert.equal(toolName({ ...ROW, localKeyId: 'a' }, undefined), 'curl');
  });

  it('shows the part of the editor that sent the request', () => {
    assert.equal(toolName({ ...ROW, source: 'chatPanel' }, SURROUNDINGS), 'Chat');
    assert.equal(toolName({ ...ROW, source: 'chatTitle' }, SURROUNDINGS), 'Chat title');
  });
});

describe('the status column of the traffic list', () => {
  it('names the limit for which a request is queued', () => {
    assert.equal(endWord(ROW), 'Running');
    assert.equal(endWord({ ...ROW, waitsFor: 'parallel' }), 'Waiting for the key’s limit of parallel requests');
    assert.equal(endWord({ ...ROW, end: 'completed', status: 200 }), '200');
  });
});

describe('a span of time in the filter of the traffic list', () => {
  const at = (...[year, month, day, hour = 0]: number[]) => new Date(year ?? 0, (month ?? 1) - 1, day, hour).getTime();

  it('names whole days without times, up to its last day', () => {
    assert.equal(spanWord(at(2026, 10, 30), at(2026, 11, 29)), '30 Oct – 28 Nov');
    assert.equal(spanWord(at(2026, 11, 28), at(2026, 11, 29)), '28 Nov');
    assert.equal(spanWord(at(2026, 11, 28), undefined), 'Since 28 Nov');
    assert.equal(spanWord(undefined, at(2026, 11, 29)), 'Until 28 Nov');
  });

  it('names its times otherwise', () => {
    assert.equal(spanWord(at(2026, 11, 28, 9), at(2026, 11, 28, 14)), '28 Nov 09:00:00 – 28 Nov 14:00:00');
  });
});
