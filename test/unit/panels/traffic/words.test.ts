import assert from 'node:assert/strict';
import type { TrafficRow, ViewContext } from '../../../../src/editor/traffic/protocol.ts';
import { endWord, toolName } from '../../../../src/panels/traffic/words.ts';

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
