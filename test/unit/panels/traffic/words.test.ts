import assert from 'node:assert/strict';
import type { TrafficRow, ViewContext } from '../../../../src/editor/traffic/protocol.ts';
import { endWord, toolName } from '../../../../src/panels/traffic/words.ts';

const SURROUNDINGS = { keyNames: { a: 'Notebook', b: 'default' } } as unknown as ViewContext;
const ROW: TrafficRow = { id: 'x', at: 0, source: 'gateway', durationMs: 1, client: 'curl' };

describe('who has asked, in the traffic list', () => {
  it('is the local key by the name that its user gave it', () => {
    assert.equal(toolName({ ...ROW, localKeyId: 'a' }, SURROUNDINGS), 'Notebook');
  });

  it('is the program where the key has no name of a tool, or there was none', () => {
    assert.equal(toolName({ ...ROW, localKeyId: 'b' }, SURROUNDINGS), 'curl');
    assert.equal(toolName(ROW, SURROUNDINGS), 'curl');
  });

  it('is a revoked key with the beginning of its id, as in the usage', () => {
    assert.equal(toolName({ ...ROW, localKeyId: '1f9be07a-0000-4000' }, SURROUNDINGS), 'Revoked key 1f9be07a');
  });

  it('is the program as long as the names of the keys are not known', () => {
    assert.equal(toolName({ ...ROW, localKeyId: 'a' }, undefined), 'curl');
  });

  it('is the part of the editor that asked', () => {
    assert.equal(toolName({ ...ROW, source: 'chatPanel' }, SURROUNDINGS), 'Chat');
  });
});

describe('the state of a request, in the traffic list', () => {
  it('names the limit for which the request waits in the queue of its key', () => {
    assert.equal(endWord(ROW), 'Running');
    assert.equal(endWord({ ...ROW, waitsFor: 'parallel' }), 'Waiting for the key’s limit of parallel requests');
    assert.equal(endWord({ ...ROW, end: 'completed', status: 200 }), '200');
  });
});
