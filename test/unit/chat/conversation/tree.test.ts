import assert from 'node:assert/strict';
import type { Entry } from '../../../../src/chat/conversation/entry.ts';
import { Tree } from '../../../../src/chat/conversation/tree.ts';

const MANY = 20_000;

const numbered = (prefix: string) => Array.from({ length: MANY }, (_, nth) => `${prefix}${nth}`);

function entry(id: string): Entry {
  return { role: 'user', id, text: '', attachments: [] };
}

/** Counts how often all entries of the path are read. */
class CountedTree extends Tree {
  walks = 0;

  override get path(): readonly Entry[] {
    this.walks += 1;
    return super.path;
  }
}

describe('a tree of turns', () => {
  for (const [what, parentOf] of [
    ['that name a missing parent', () => 'missing'],
    ['that name themselves as parent', (id: string) => id],
    ['that name a later parent', (id: string) => `e${Number(id.slice(1)) + 1}`],
  ] as const) {
    it(`appends entries ${what} without reading all entries before them`, () => {
      const tree = new CountedTree();
      for (const id of numbered('e')) tree.add(entry(id), { parent: parentOf(id), at: 1 });
      assert.deepEqual([tree.walks, tree.tail, tree.path.length], [0, `e${MANY - 1}`, MANY]);
    });
  }

  it('passes through thousands of removed turns', () => {
    const tree = new Tree();
    const [removed, leaves] = [numbered('e'), numbered('l')];
    for (const [nth, id] of removed.entries()) tree.add(entry(id), { parent: removed[nth - 1], at: 1 });
    for (const [nth, id] of leaves.entries()) tree.add(entry(id), { parent: removed[nth], at: 1 });
    for (const id of removed) tree.setRemoved(id, true);
    assert.deepEqual(
      tree.path.map(({ id }) => id),
      ['l0'],
    );
    assert.deepEqual([...tree.siblingsOf('l0')].sort(), [...leaves].sort());
    assert.deepEqual(new Set(tree.visibleParents.values()), new Set([undefined]));
    for (const id of leaves) tree.setRemoved(id, true);
    assert.deepEqual(tree.path, []);
  });
});
