import assert from 'node:assert/strict';
import { removedItems } from '../../../../src/chat/apply/removedItems.ts';

const CLASS = 'class Shelf {\n  add() {\n    one();\n  }\n\n  find() {\n    two();\n  }\n}\n';

describe('what a change removes', () => {
  it('is named', () => {
    assert.deepEqual(removedItems(CLASS, CLASS.replace(/ {2}find[^}]*}\n/, ''), 'a.js'), ['find']);
    assert.deepEqual(removedItems('## One\n\ntext\n\n## Two\n\ntext\n', '## One\n\ntext\n', 'a.md'), ['two']);
    assert.deepEqual(removedItems(CLASS, CLASS.replace('one', 'other'), 'a.js'), []);
  });

  it('is cut off after five names', () => {
    const many = Array.from({ length: 9 }, (_, index) => `function f${index}() {\n  x();\n}\n`).join('\n');
    assert.deepEqual(removedItems(many, '', 'a.js'), ['f0', 'f1', 'f2', 'f3', 'f4', '…']);
  });
});
