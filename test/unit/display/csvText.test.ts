import assert from 'node:assert/strict';
import { csvText } from '../../../src/display/csvText.ts';

describe('a cell of a CSV file', () => {
  it('is quoted where needed', () => {
    assert.equal(csvText('plain text'), 'plain text');
    assert.equal(csvText('a "b", c'), '"a ""b"", c"');
    assert.equal(csvText(''), '');
  });

  for (const text of ['=1', '+1', '-1', '@a', '\t=1', '\r=1', '\n=1', '\uff1d1', '\uff0b1']) {
    it(`does not begin a formula: ${JSON.stringify(text)}`, () => {
      assert.match(csvText(text), /^"?'|^"\n'/);
    });
  }

  it('begins no formula if another character separates the cells, as in German', () => {
    for (const separator of [';', '\t', '\r\n']) {
      const line = `2026-11-20,${csvText(`x${separator}=HYPERLINK("http://a")`)}`;
      for (const cell of line.split(/[;\t\r\n]/)) assert.doesNotMatch(cell, /^\s*"?[=+\-@]/);
    }
  });

  it('keeps signs inside of a text', () => {
    assert.equal(csvText('model-1+@=x'), 'model-1+@=x');
  });
});
