import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { defineTool, text } from '../../../../src/agent/tools/tool.ts';

const SCHEMA = z.object({
  path: text('Path.'),
  edits: z.array(z.object({ old_text: text('Old.'), new_text: text('New.') })).check(z.minLength(1)),
  start: z.optional(z.int()),
  folder: z.optional(text('Folder.')),
  staged: z.optional(z.boolean()),
});
const EDIT = { old_text: 'a', new_text: 'b' };

/** Returns the arguments that the tool works with. */
async function read(args: unknown): Promise<unknown> {
  let found: unknown;
  const tool = defineTool('edit', 'Edits.', SCHEMA, (understood) => {
    found = understood;
    return { action: { kind: 'edit', object: '' }, run: () => Promise.resolve({ text: '' }) };
  });
  await tool.prepare(args);
  return found;
}

describe('arguments of a tool', () => {
  const expected = { path: 'a.ts', edits: [EDIT] };
  for (const [what, args] of [
    ['as they should be', { path: 'a.ts', edits: [EDIT] }],
    ['with a list as a text', { path: 'a.ts', edits: JSON.stringify([EDIT]) }],
    ['with one item as a text', { path: 'a.ts', edits: JSON.stringify(EDIT) }],
    ['with one item instead of a list', { path: 'a.ts', edits: EDIT }],
    ['with items as texts', { path: 'a.ts', edits: [JSON.stringify(EDIT)] }],
    ['with null for what is optional', { path: 'a.ts', edits: [EDIT], start: null, folder: null, staged: null }],
    ['with an empty text for a number', { path: 'a.ts', edits: [EDIT], start: '' }],
    ['with a list that is encoded twice', { path: 'a.ts', edits: JSON.stringify(JSON.stringify([EDIT])) }],
    ['as a text as a whole', JSON.stringify({ path: 'a.ts', edits: [EDIT] })],
    ['with others', { path: 'a.ts', edits: [EDIT], explanation: 'because' }],
  ] as const) {
    it(`are understood ${what}`, async () => assert.deepEqual(await read(args), expected));
  }

  it('are understood with numbers and switches as texts, and texts as numbers', async () => {
    const args = { path: 5, edits: [EDIT], start: ' 2', staged: 'true' };
    assert.deepEqual(await read(args), { path: '5', edits: [EDIT], start: 2, staged: true });
  });

  it('are understood with line breaks and tabs that are not escaped in a text with JSON', async () => {
    const edits = '[\n  {"old_text": "a \\"b\\"\n\tc", "new_text": "d\n"}\n]';
    assert.deepEqual(await read({ path: 'a.ts', edits }), {
      path: 'a.ts',
      edits: [{ old_text: 'a "b"\n\tc', new_text: 'd\n' }],
    });
  });

  it('stay as they are where the schema accepts them', async () => {
    const json = '[{"old_text": 1}]';
    const edits = [{ old_text: json, new_text: 'null' }];
    assert.deepEqual(await read({ path: json, edits, folder: '' }), { path: json, edits, folder: '' });
  });

  for (const [args, problem] of [
    [{ edits: [EDIT] }, /path/],
    [{ path: 'a.ts', edits: [] }, /edits/],
    [{ path: 'a.ts', edits: 'replace a by b' }, /edits/],
    [{ path: null, edits: [EDIT] }, /path/],
    [{ path: ['a.ts'], edits: [EDIT] }, /path/],
    ['a.ts', /Invalid/],
    [undefined, /Invalid/],
  ] as const) {
    it(`are refused with an example: ${JSON.stringify(args)}`, async () => {
      await assert.rejects(read(args), (error: Error) => {
        assert.match(error.message, problem);
        assert.ok(error.message.endsWith('{"path":"…","edits":[{"old_text":"…","new_text":"…"}]}'), error.message);
        return true;
      });
    });
  }
});
