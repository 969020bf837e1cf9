import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Entry } from '../../../src/chat/conversation/entry.ts';
import type { Attachment } from '../../../src/chat/conversation/record.ts';
import { buildRequest, questionParts } from '../../../src/chat/request.ts';
import { chatCompletions } from '../../../src/formats/chatCompletions/index.ts';
import { messages } from '../../../src/formats/messages/index.ts';
import { responses } from '../../../src/formats/responses/index.ts';
import { estimateTokens } from '../../../src/tokens/textEstimate.ts';

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

const noImages = () => undefined;
const textsOf = (parts: ReturnType<typeof questionParts>) =>
  parts.map((part) => (part.type === 'text' ? part.text : ''));

describe('the request for the next answer', () => {
  it('contains the system prompt and all turns in order', () => {
    const request = buildRequest([question('one'), answer('two'), question('three')], settings, noImages);
    assert.deepEqual(request.system, [{ type: 'text', text: 'Be brief.' }]);
    assert.deepEqual(
      request.messages.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
    assert.equal(request.maxTokens, 100);
  });

  it('asks for code that can be applied, after the system prompt, in the chat only', () => {
    const request = buildRequest(
      [question('one')],
      { ...settings, asksForCodeForm: true, instructions: 'Use tabs.' },
      noImages,
    );
    assert.deepEqual(
      request.system?.map(({ text }) => text.split(' ', 3).join(' ')),
      ['Be brief.', 'When you change', 'Use tabs.'],
    );
    assert.ok(estimateTokens(request.system?.[1]?.text ?? '') < 45);
  });

  describe('after a tool has returned an image', () => {
    const image = { file: 'a.png', mediaType: 'image/png' };
    const call = { id: 'call_1', name: 'look', arguments: '{}', result: '[Image 1: image/png]', images: [image] };
    const entries = [question('one'), { ...answer(''), toolCalls: [call], run: 'one' } as Entry];
    const lookup = (file: string) => (file === 'a.png' ? 'AAAA' : undefined);

    for (const format of [chatCompletions, messages, responses]) {
      it(`contains it in ${format.name} format, with the result that it belongs to`, () => {
        const sent = format.decodeRequest(format.encodeRequest(buildRequest(entries, settings, lookup)));
        const result = sent.messages.find(({ role }) => role === 'tool');
        assert.ok(result?.role === 'tool');
        assert.match(JSON.stringify(result.parts[0]?.content), /\[Image 1: image\/png\]/);
        const images = JSON.stringify(sent.messages).match(/"source":\{[^}]*\}/g);
        assert.deepEqual(images, ['"source":{"kind":"base64","mediaType":"image/png","data":"AAAA"}']);
      });
    }

    it('names it for a model that reads no images, and if its file is gone', () => {
      const textOf = (sent: ReturnType<typeof buildRequest>) => JSON.stringify(sent.messages.at(-1));
      assert.match(
        textOf(buildRequest(entries, { ...settings, readsImages: false }, lookup)),
        /this model cannot read/,
      );
      assert.match(textOf(buildRequest(entries, settings, noImages)), /The image no longer exists/);
    });
  });

  it('omits an empty system prompt and answers without text', () => {
    const request = buildRequest([question('one'), answer('')], { ...settings, systemPrompt: '' }, noImages);
    assert.deepEqual(request.system, []);
    assert.equal(request.messages.length, 1);
  });

  it('contains the sealed reasoning of a step only for the model that wrote it', () => {
    const sealed = [{ text: 'Hm.', signature: 'c2lnbmVk' }];
    const toolCalls = [{ id: 'call_1', name: 'look', arguments: '{}', result: 'A cat.' }];
    const step = { ...answer('Look.'), model: 'familya-sonnet-4.6', sealed, toolCalls } as Entry;
    const partsFor = (model: string) => {
      const { messages: sent } = buildRequest([question('one'), step], { ...settings, model }, noImages);
      return sent.flatMap((message) => (message.role === 'assistant' ? message.parts.map(({ type }) => type) : []));
    };
    assert.deepEqual(partsFor('familya-sonnet-4.6'), ['reasoning', 'text', 'toolCall']);
    assert.deepEqual(partsFor('familyb-5.2'), ['text', 'toolCall']);
  });

  it('starts with the same bytes as the previous request, up to the edited question', () => {
    // The composer sends no blank question, and the messages format has no blank texts.
    const text = fc.string({ minLength: 1 }).filter((any) => any.trim() !== '');
    const turn = fc.record({ text, file: fc.option(fc.string()) });
    const asked = ({ text, file }: { text: string; file: string | null }): Entry => ({
      role: 'user',
      id: text,
      text,
      attachments: file === null ? [] : [attachment(file)],
    });
    const bytesOf = (entries: readonly Entry[], model: string) => {
      const encoded = messages.encodeRequest(buildRequest(entries, { ...settings, model }, noImages));
      return encoded.messages.map((message) => JSON.stringify(message));
    };
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 8 }),
        turn,
        fc.constantFrom('a', 'b'),
        (turns, next, model) => {
          const said = turns.flatMap((each) => [asked(each), answer(each.text)]);
          const before = bytesOf([...said, asked(next)], 'a');
          const goneOn = bytesOf([...said, asked(next), answer('done'), asked(next)], model);
          assert.deepEqual(goneOn.slice(0, before.length), before);
          const edited = bytesOf([...said, asked({ ...next, text: `${next.text}!` })], model);
          assert.deepEqual(edited.slice(0, -1), before.slice(0, -1));
        },
      ),
    );
  });

  it('puts attachments before the question, in a fence that their content cannot close', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '``', '```', '````', 'a', '\n')), (pieces) => {
        const text = pieces.join('');
        const [first, second] = textsOf(questionParts({ text: 'Why?', attachments: [attachment(text)] }, noImages));
        assert.equal(second, 'Why?');
        const fence = /:\n(`{3,})typescript\n/.exec(first ?? '')?.[1] ?? '';
        assert.ok(fence.length >= 3);
        assert.ok(!text.includes(fence));
        assert.ok(first?.endsWith(`\n${fence}`));
      }),
    );
  });

  it('sends an image as an image in all formats, and reports it if its file is missing', () => {
    const image: Attachment = {
      ...attachment(''),
      kind: 'image',
      label: 'shot.png',
      image: { file: 'a.png', mediaType: 'image/png' },
    };
    const asked: Entry = { role: 'user', id: 'q', text: 'What is this?', attachments: [image] };
    const request = buildRequest([asked], settings, (file) => (file === 'a.png' ? 'iVBORw==' : undefined));
    assert.match(JSON.stringify(messages.encodeRequest(request)), /"media_type":"image\/png","data":"iVBORw=="/);
    for (const format of [chatCompletions, responses]) {
      assert.match(JSON.stringify(format.encodeRequest(request)), /"data:image\/png;base64,iVBORw=="/);
    }
    const [first] = textsOf(questionParts(asked, noImages));
    assert.match(first ?? '', /shot\.png no longer exists/);
  });
});
