import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatRequest, Message, UserPart } from '../../../src/formats/conversation.ts';
import { estimateInputTokens, estimateRequestTokens, estimateTokens } from '../../../src/tokens/estimate.ts';
import { anyCharacter } from '../../support/anyCharacter.ts';
import { pngHead } from './images.ts';

/** Texts with their counts by the public o200k tokenizer. */
const COUNTED: readonly (readonly [kind: string, tokens: number, text: string])[] = [
  [
    'prose',
    19,
    'One prepaid key opens eleven models through three request formats, without the key ever leaving the editor.',
  ],
  [
    'code',
    27,
    'export function add(first: number, second: number): number {\n  return first + second;\n}\n\nadd(1, 2);',
  ],
  ['JSON', 27, '{"id":"chatcmpl-12","choices":[{"index":0,"delta":{"content":"Hi"}}],"usage":null}'],
  ['Markdown', 28, '# Title\n\n- first item\n- second item\n\n| a | b |\n|---|---|\n| 1 | 2 |'],
  [
    'German',
    25,
    'Die Geschwindigkeitsbegrenzung gilt für alle Fahrzeuge, die über eine Brücke fahren. Natürlich müssen wir das überprüfen.',
  ],
  ['Chinese', 29, '今天天气很好，我们一起去公园散步吧。这个扩展程序可以帮助开发人员在编辑器中使用语言模型。'],
  [
    'Russian',
    31,
    'Быстрая коричневая лиса прыгает через ленивую собаку. Это очень простое предложение, чтобы проверить оценку.',
  ],
];

function request(...messages: Message[]): ChatRequest {
  return { model: 'm', system: [], messages };
}

function user(...parts: UserPart[]): Message {
  return { role: 'user', parts };
}

describe('estimateTokens', () => {
  for (const [kind, tokens, text] of COUNTED) {
    it(`is within 30 percent of a tokenizer for ${kind}`, () => {
      const estimate = estimateTokens(text);
      assert.ok(Math.abs(estimate - tokens) <= tokens * 0.3, `${estimate} for ${tokens}`);
    });
  }

  it('is zero only for empty text', () => {
    assert.equal(estimateTokens(''), 0);
    fc.assert(fc.property(fc.string({ unit: anyCharacter, minLength: 1 }), (text) => estimateTokens(text) > 0));
  });

  it('never exceeds two tokens per UTF-16 unit', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => estimateTokens(text) <= 2 * text.length));
  });

  it('grows with the text: an additional paragraph never costs less', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        assert.ok(estimateTokens(`${a}\n\n${b}`) >= Math.max(estimateTokens(a), estimateTokens(b)));
      }),
    );
  });

  it('is linear: ten times the text is ten times the tokens', () => {
    const text = 'Some words, 12 numbers and (signs).\n'.repeat(100);
    const [one, ten] = [estimateTokens(text), estimateTokens(text.repeat(10))];
    assert.ok(Math.abs(ten - 10 * one) <= 10, `${one}, ${ten}`);
  });
});

describe('estimateRequestTokens', () => {
  const hello = user({ type: 'text', text: 'Hello there' });

  it('counts each message with its overhead', () => {
    const one = estimateRequestTokens(request(hello));
    const two = estimateRequestTokens(request(hello, hello));
    assert.equal(two - one, estimateTokens('Hello there') + 4);
  });

  it('counts the system prompt', () => {
    const bare = estimateRequestTokens(request(hello));
    const system = [{ type: 'text' as const, text: 'Be brief and kind.' }];
    assert.ok(estimateRequestTokens({ ...request(hello), system }) >= bare + estimateTokens('Be brief and kind.'));
  });

  it('counts tools with their descriptions and schemas', () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const tool = { name: 'get_weather', description: 'The weather of a city today.', parameters };
    const bare = estimateRequestTokens(request(hello));
    const more = estimateRequestTokens({ ...request(hello), tools: [tool] }) - bare;
    assert.ok(more >= estimateTokens(tool.description) + estimateTokens(JSON.stringify(parameters)));
  });

  it('counts tool calls, results, reasoning, refusals and the response schema', () => {
    const text = 'a rather long piece of text';
    const messages: Message[] = [
      { role: 'assistant', parts: [{ type: 'toolCall', id: '1', name: 'f', arguments: text }] },
      { role: 'tool', parts: [{ type: 'toolResult', toolCallId: '1', content: [{ type: 'text', text }] }] },
      { role: 'assistant', parts: [{ type: 'reasoning', text }] },
      { role: 'assistant', parts: [{ type: 'refusal', text }] },
      { role: 'system', parts: [{ type: 'text', text }] },
      user({ type: 'document', source: { kind: 'text', text } }),
    ];
    for (const message of messages) {
      assert.ok(estimateRequestTokens(request(message)) >= estimateTokens(text) + 4, JSON.stringify(message));
    }
    const responseFormat = { type: 'jsonSchema' as const, schema: { type: 'object', description: text } };
    assert.ok(estimateRequestTokens({ ...request(hello), responseFormat }) > estimateRequestTokens(request(hello)) + 6);
  });

  describe('counts an image', () => {
    function imageTokens(data: string, detail?: string): number {
      const source = { kind: 'base64' as const, mediaType: 'image/png', data };
      const image = { type: 'image' as const, source, ...(detail !== undefined && { detail }) };
      return estimateRequestTokens(request(user(image))) - estimateRequestTokens(request(user()));
    }

    it('by its pixels', () => assert.equal(imageTokens(pngHead(750, 100)), 100));
    it('scaled down when its long edge is over 1568', () => {
      assert.equal(imageTokens(pngHead(3136, 500)), Math.ceil((1568 * 250) / 750));
    });
    it('with an upper limit', () => assert.equal(imageTokens(pngHead(20000, 20000)), 1600));
    it('as a large one if its size cannot be read', () => assert.equal(imageTokens('AAAA'), 1600));
    it('as a small one in low detail', () => assert.equal(imageTokens(pngHead(1000, 1000), 'low'), 85));
    it('in a tool result too', () => {
      const source = { kind: 'base64' as const, mediaType: 'image/png', data: pngHead(750, 100) };
      const result = { type: 'toolResult' as const, toolCallId: '1', content: [{ type: 'image' as const, source }] };
      assert.equal(estimateRequestTokens(request({ role: 'tool', parts: [result] })), 3 + 4 + 8 + 100);
    });
  });

  it('counts a document by its bytes, and a linked document by a constant', () => {
    const document = (data: string) => ({ kind: 'base64' as const, mediaType: 'application/pdf', data });
    const bare = estimateRequestTokens(request(user()));
    const tokens = (source: ReturnType<typeof document> | { kind: 'url'; url: string }) =>
      estimateRequestTokens(request(user({ type: 'document', source }))) - bare;
    assert.equal(tokens(document('A'.repeat(80_000))), 3000);
    assert.equal(tokens(document('AAAA')), 500);
    assert.equal(tokens({ kind: 'url', url: 'https://example.com/a.pdf' }), 2000);
  });
});

describe('estimateInputTokens', () => {
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(50);
  const tools = [{ name: 'f', parameters: { type: 'object' } }];

  function ofModel(model: string, more: Partial<ChatRequest> = {}): number {
    return estimateInputTokens({ ...request(user({ type: 'text', text })), model, ...more });
  }

  it('is the plain estimate for a family with a public tokenizer', () => {
    assert.equal(ofModel('familyc-5.4'), estimateRequestTokens(request(user({ type: 'text', text }))));
  });

  it('is higher for families that use more tokens', () => {
    assert.equal(ofModel('familya-opus-4.6'), Math.ceil(ofModel('familyc-5.4') * 1.2));
  });

  it('includes the vendor’s system prompt for tools', () => {
    assert.ok(ofModel('familya-opus-4.6', { tools }) > ofModel('familya-opus-4.6') + 346);
  });
});
