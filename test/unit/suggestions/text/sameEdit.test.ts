import assert from 'node:assert/strict';
import { editBetween, nextPlace, type RepeatedEdit, repeatedEdit } from '../../../../src/suggestions/text/sameEdit.ts';

/** What two changed lines have in common. */
function repeated(first: readonly [string, string], second: readonly [string, string]): RepeatedEdit | undefined {
  const [one, two] = [editBetween(...first), editBetween(...second)];
  return one && two && repeatedEdit(one, two);
}

describe('a change that was made twice', () => {
  it('is a new name, even if the names share letters', () => {
    const edit = repeated(['const count = 1;', 'const counter = 1;'], ['log(count);', 'log(counter);']);
    assert.deepEqual(edit, { kind: 'name', removed: 'count', inserted: 'counter' });
  });

  it('is an argument added to calls of the same function', () => {
    const edit = repeated(['quote(book);', 'quote(book, zone);'], ['  x = quote(box);', '  x = quote(box, zone);']);
    assert.deepEqual(edit, { kind: 'argument', called: 'quote', inserted: ', zone' });
  });

  it('is neither if the changes differ, or are no names', () => {
    assert.equal(repeated(['a cost', 'a price'], ['b cost', 'b value']), undefined);
    assert.equal(repeated(['x = 1', 'x = 2'], ['y = 1', 'y = 2']), undefined);
    assert.equal(repeated(['one(a);', 'one(a, z);'], ['two(a);', 'two(a, z);']), undefined);
    assert.equal(editBetween('same', 'same'), undefined);
  });
});

describe('the next place for a change', () => {
  const name: RepeatedEdit = { kind: 'name', removed: 'cost', inserted: 'price' };
  const argument: RepeatedEdit = { kind: 'argument', called: 'quote', inserted: ', zone' };

  it('is the next whole name, and then the first one of the file', () => {
    const lines = ['show(cost);', 'const price = 1;', 'costs();', 'log(cost);'];
    assert.deepEqual(nextPlace(lines, name, 1), { line: 3, start: 4, end: 8 });
    assert.deepEqual(nextPlace(lines, name, 3), { line: 0, start: 5, end: 9 });
  });

  it('is none if there is no other one', () => {
    assert.equal(nextPlace(['costs', 'price'], name, 0), undefined);
  });

  it('is the end of the next call that lacks the argument', () => {
    const lines = ['quote(book, zone);', 'function quote(parcel) {', 'sum(quote(box(1)));', 'requote(a);'];
    assert.deepEqual(nextPlace(lines, argument, 0), { line: 2, start: 16, end: 16 });
  });
});
