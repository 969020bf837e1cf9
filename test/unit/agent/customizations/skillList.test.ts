import assert from 'node:assert/strict';
import { skillList } from '../../../../src/agent/customizations/skillList.ts';

describe('the list of skills', () => {
  const skill = (name: string, length: number) => ({ name, description: name.padEnd(length, '😀').toWellFormed() });
  const lengthOf = (entry: string) => /<description>(.*)<\/description>/s.exec(entry)?.[1]?.length ?? 0;

  it('has whole descriptions and what skills need while they are short together', () => {
    const { text, entries, kept } = skillList([{ ...skill('pdf', 300), compatibility: 'Python' }, skill('csv', 100)]);
    assert.equal(kept, undefined);
    assert.deepEqual(entries.map(lengthOf), [300, 100]);
    assert.match(text, /<compatibility>Python<\/compatibility>/);
  });

  it('has all names and at most 8,000 characters of descriptions, of which the long ones become shorter', () => {
    const long = Array.from({ length: 190 }, (_, number) => skill(`long-${number}`, 1024));
    const short = Array.from({ length: 10 }, (_, number) => skill(`short-${number}`, 30));
    const { text, entries, kept } = skillList([...long, ...short]);
    assert.equal(kept, Math.floor((8000 - 10 * 30) / 190));
    assert.deepEqual(new Set(entries.slice(190).map(lengthOf)), new Set([30]));
    const lengths = entries.map(lengthOf);
    assert.ok(lengths.every((length) => length > 0) && lengths.reduce((sum, length) => sum + length) <= 8000);
    for (const { name } of [...long, ...short]) assert.ok(text.includes(`<name>${name}</name>`), name);
    assert.ok(text.isWellFormed() && text.length < 25_000, `${text.length}`);
  });

  it('has only names if too little of each description would be left', () => {
    const { text, kept } = skillList(Array.from({ length: 500 }, (_, number) => skill(`s${number}`, 100)));
    assert.equal(kept, 0);
    assert.ok(text.includes('<name>s499</name>') && !text.includes('<description>'));
  });
});
