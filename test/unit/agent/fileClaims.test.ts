import assert from 'node:assert/strict';
import { FileClaims } from '../../../src/agent/fileClaims.ts';

describe('claims of files', () => {
  const first = { id: '1', name: 'rates' };
  const second = { id: '2', name: 'tests' };

  it('keep a file for who came first, and name them to the others', () => {
    const claims = new FileClaims();
    assert.equal(claims.claim(['a', 'b'], first), undefined);
    assert.equal(claims.claim(['b'], first), undefined);
    assert.equal(claims.claim(['c', 'b'], second), first);
    assert.equal(claims.claim(['c'], first), undefined, 'a failed claim keeps nothing');
  });

  it('end together', () => {
    const claims = new FileClaims();
    claims.claim(['a', 'b'], first);
    claims.release(first);
    assert.equal(claims.claim(['a', 'b'], second), undefined);
  });

  it('let a helper change the files of its run, and nobody else', () => {
    const claims = new FileClaims();
    const run = { id: 'run', name: 'Rename it' };
    const helper = { id: 'helper', name: 'tests', run: 'run' };
    const stranger = { id: 'other', name: 'Other chat' };
    assert.equal(claims.claim(['a'], run), undefined);
    assert.equal(claims.claim(['a'], helper), undefined);
    assert.equal(claims.claim(['a'], { ...helper, id: 'second' }), helper);
    assert.equal(claims.claim(['a'], stranger), run);
    claims.release(helper);
    assert.equal(claims.claim(['a'], stranger), run, 'the file is still one of the run');
    claims.release(run);
    assert.equal(claims.claim(['a'], stranger), undefined);
  });
});
