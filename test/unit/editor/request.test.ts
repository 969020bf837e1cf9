import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Entry } from '../../../src/editor/chat/conversation/entry.ts';
import type { Attachment } from '../../../src/editor/chat/conversation/record.ts';
import { buildRequest, questionParts } from '../../../src/editor/chat/request.ts';

const settings = { model: 'familya-sonnet-4.6', systemPrompt: 'Be brief.', maxTokens: 100 };
const attachment = (text: string): Attachment => ({
  id: 'x',
  kind: 'file',
  label: 'a.ts',
  path: 'src/a.ts',
  languageId: 'typescript',
  text,
});
const question = (text: string): Entry => ({ role: 'user', id: text, text, attachments: [] });
const answer = (text: string): Entry => ({
  role: 'assistant',
  id: text,
  model: 'm',
  format: 'messages',
  sandbox: false,
  reasoning: 'thought',
  text,
  status: 'complete',
});

describe('the request for the next answer', () => {
  it('holds the system prompt and all turns in order', () => {
    const request = buildRequest([question('one'), answer('two'), question('three')], settings);
    assert.deepEqual(request.system, [{ type: 'text', text: 'Be brief.' }]);
    assert.deepEqual(
      request.messages.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
    assert.equal(request.maxTokens, 100);
  });

  it('leaves out an empty system prompt and answers that never got any text', () => {
    const request = buildRequest([question('one'), answer('')], { ...settings, systemPrompt: '' });
    assert.deepEqual(request.system, []);
    assert.equal(request.messages.length, 1);
  });

  it('puts attachments before the question, in a fence that nothing inside can close', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '``', '```', '````', 'a', '\n')), (pieces) => {
        const text = pieces.join('');
        const [first, second] = questionParts({ text: 'Why?', attachments: [attachment(text)] });
        assert.equal(second?.text, 'Why?');
        const fence = /:\n(`{3,})typescript\n/.exec(first?.text ?? '')?.[1] ?? '';
        assert.ok(fence.length >= 3);
        assert.ok(!text.includes(fence));
        assert.ok(first?.text.endsWith(`\n${fence}`));
      }),
    );
  });
});
