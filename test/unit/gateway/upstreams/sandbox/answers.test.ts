import assert from 'node:assert/strict';
import type { ChatRequest, Message } from '../../../../../src/formats/conversation.ts';
import { answerOf, ask, askQuestion, eventsOf, formatNamed, formatNames, quickSandbox, textOf } from './ask.ts';

/** The beginning of a PNG of 3 by 2 pixels. */
const PNG = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
  Buffer.from('IHDR'),
  Buffer.from([0, 0, 0, 3, 0, 0, 0, 2, 8, 2, 0, 0, 0, 0, 0, 0, 0]),
]).toString('base64');

function user(...parts: Extract<Message, { role: 'user' }>['parts']): Message {
  return { role: 'user', parts };
}

describe('The sandbox answers', () => {
  for (const format of formatNames) {
    it(`the same with and without streaming: ${format}`, async () => {
      const whole = await answerOf(quickSandbox(), { format, text: 'Why?' });
      const request = { stream: true, includeUsage: true };
      const streamed = await answerOf(quickSandbox(), { format, text: 'Why?', request });
      const difference = 'stream true';
      assert.ok(textOf(streamed).includes(difference) && !textOf(whole).includes(difference));
      assert.equal(textOf(streamed).replace(/; stream true|\| Parameters \| stream true \|\n/, ''), textOf(whole));
      assert.equal(streamed.id, whole.id);
      assert.equal(streamed.finishReason, 'stop');
      assert.equal(streamed.usage?.inputTokens, whole.usage?.inputTokens);
    });

    it(`word by word: ${format}`, async () => {
      const { text } = await askQuestion(quickSandbox(), {
        format,
        text: 'echo one two three',
        request: { stream: true },
      });
      const deltas = eventsOf(formatNamed(format), text).flatMap((event) =>
        event.type === 'textDelta' ? [event.text] : [],
      );
      assert.deepEqual(deltas, ['one', ' two', ' three']);
    });

    it(`with what it received, and states that it is the sandbox: ${format}`, async () => {
      const request: Partial<ChatRequest> = {
        system: [{ type: 'text', text: 'Be brief.' }],
        tools: [{ name: 'get_weather', parameters: { type: 'object' } }],
        maxTokens: 900,
        temperature: 0.5,
      };
      const answer = await answerOf(quickSandbox(), {
        format,
        text: 'What is new?',
        request,
        model: 'familyb-3.1-pro',
      });
      const text = textOf(answer);
      for (const part of ['sandbox', 'no real model', 'familyb-3.1-pro', format, 'user 12', '9 characters']) {
        assert.ok(text.toLowerCase().includes(part), `${part} in ${text}`);
      }
      for (const part of ['get_weather', 'max tokens 900', 'temperature 0.5', '> What is new?']) {
        assert.ok(text.includes(part), `${part} in ${text}`);
      }
      assert.equal(answer.model, 'familyb-3.1-pro');
      assert.ok(answer.usage !== undefined && answer.usage.outputTokens >= 80 && answer.usage.outputTokens <= 320);
    });

    it(`with the images that it received: ${format}`, async () => {
      const image = { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: PNG } } as const;
      const messages = [user({ type: 'text', text: 'What is this?' }, image)];
      const text = textOf(await answerOf(quickSandbox(), { format, request: { messages } }));
      assert.match(text, /image\/png, 3 × 2 pixels, 33 bytes/);
    });
  }

  it('equal requests equally, and different questions differently', async () => {
    const texts = await Promise.all(
      ['Why?', 'Why?', 'How?', 'When?', 'Where?'].map(async (text) => textOf(await answerOf(quickSandbox(), { text }))),
    );
    assert.equal(texts[0], texts[1]);
    assert.equal(new Set(texts.map((text) => text.split('`')[0])).size > 1, true);
  });

  it('with a label and ids in the headers', async () => {
    const { headers } = await askQuestion(quickSandbox(), {});
    assert.equal(headers['x-model-access-sandbox'], 'true');
    assert.match(String(headers['x-request-id']), /^req_[0-9a-f]{24}$/);
    assert.equal(headers['request-id'], headers['x-request-id']);
  });

  it('with rate-limit headers in the style of the format', async () => {
    const sandbox = quickSandbox({ now: () => Date.UTC(2026, 0, 1) });
    const common = await askQuestion(sandbox, {});
    assert.equal(common.headers['x-ratelimit-remaining-requests'], '9999');
    assert.equal(common.headers['x-ratelimit-reset-tokens'], '60s');
    const vendor = await askQuestion(sandbox, { format: 'messages' });
    assert.equal(vendor.headers['anthropic-ratelimit-requests-remaining'], '9998');
    assert.equal(vendor.headers['anthropic-ratelimit-tokens-reset'], '2026-01-01T00:01:00Z');
  });

  it('the words of a user, not the tagged texts that agents add', async () => {
    const messages = [
      user({ type: 'text', text: '<environment_context>here</environment_context>' }),
      user(
        { type: 'text', text: 'echo the question' },
        { type: 'text', text: '<system-reminder>hm</system-reminder>' },
      ),
    ];
    assert.equal(textOf(await answerOf(quickSandbox(), { request: { messages } })), 'the question');
  });

  it('the words in the tag of the editor’s agent mode', async () => {
    const text = '<context>\nToday\n</context>\n<userRequest>\necho the question\n</userRequest>';
    const messages = [user({ type: 'text', text })];
    assert.equal(textOf(await answerOf(quickSandbox(), { request: { messages } })), 'the question');
  });

  it('with JSON that matches the requested schema', async () => {
    const schema = {
      type: 'object',
      properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 18 } },
      required: ['name', 'age'],
      additionalProperties: false,
    };
    for (const format of formatNames) {
      const request: Partial<ChatRequest> = { responseFormat: { type: 'jsonSchema', name: 'person', schema } };
      const text = textOf(await answerOf(quickSandbox(), { format, request }));
      // The messages format has no bounds in schemas.
      const age = format === 'messages' ? 1 : 18;
      assert.deepEqual(JSON.parse(text), { name: 'sample name', age }, format);
    }
  });

  it('with a JSON object if the request asks for one', async () => {
    const request: Partial<ChatRequest> = { responseFormat: { type: 'jsonObject' } };
    const answer = JSON.parse(textOf(await answerOf(quickSandbox(), { request, text: 'As JSON, please' })));
    assert.equal(answer.sandbox, true);
    assert.equal(answer.question, 'As JSON, please');
  });
});

describe('The sandbox follows commands', () => {
  const words: readonly (readonly [string, (text: string) => void])[] = [
    ['echo: Exactly  this,\n\tas it is.', (text) => assert.equal(text, 'Exactly  this,\n\tas it is.')],
    ['echo: with the space at its end \n', (text) => assert.equal(text, 'with the space at its end \n')],
    ['Echo something', (text) => assert.equal(text, 'something')],
    ['write 300 words', (text) => assert.equal(text.split(/\s+/).length, 300)],
    ['Please write 12 lines about it', (text) => assert.equal(text.split('\n').length, 12)],
    ['markdown', (text) => assert.match(text, /^# Heading one[\s\S]*\| Left[\s\S]*```python/)],
    ['help', (text) => assert.match(text, /`echo: any text`[\s\S]*`refuse`/)],
  ];
  for (const [word, check] of words) {
    for (const format of formatNames) {
      it(`on "${word.replaceAll('\n', ' ')}": ${format}`, async () => {
        check(textOf(await answerOf(quickSandbox(), { format, text: word, request: { stream: true } })));
      });
    }
  }

  it('only if the question consists of the command', async () => {
    for (const text of ['Help me with this', 'Refuse collection, when?', 'Markdown tables, how?']) {
      assert.match(textOf(await answerOf(quickSandbox(), { text })), /The question begins/);
    }
  });

  it('on "refuse", with a refusal', async () => {
    for (const format of ['chat-completions', 'responses'] as const) {
      const { parts } = await answerOf(quickSandbox(), { format, text: 'refuse' });
      assert.deepEqual(
        parts.map(({ type }) => type),
        ['refusal'],
        format,
      );
    }
    assert.equal((await answerOf(quickSandbox(), { format: 'messages', text: 'refuse' })).finishReason, 'refusal');
  });

  it('on "write", up to a limit', async () => {
    const text = textOf(await answerOf(quickSandbox(), { text: 'write 999999999 lines' }));
    assert.equal(text.split('\n').length, 5_000);
  });

  for (const format of formatNames) {
    it(`on "think", with reasoning before the answer: ${format}`, async () => {
      for (const stream of [false, true]) {
        const { parts, usage } = await answerOf(quickSandbox(), {
          format,
          text: 'think: echo Done',
          request: { stream, includeUsage: true },
        });
        assert.deepEqual(
          parts.map(({ type }) => type),
          ['reasoning', 'text'],
        );
        assert.match(parts[0]?.type === 'reasoning' ? parts[0].text : '', /does not reason/);
        assert.equal(parts[1]?.type === 'text' && parts[1].text, 'Done');
        if (format !== 'messages') assert.ok((usage?.reasoningTokens ?? 0) > 0);
      }
    });
  }

  it('if a parameter requests reasoning, and only with models that reason', async () => {
    const request: Partial<ChatRequest> = { reasoning: { budgetTokens: 2_000 }, maxTokens: 4_000 };
    const types = async (model: string) =>
      (await answerOf(quickSandbox(), { format: 'messages', model, request })).parts.map(({ type }) => type);
    assert.deepEqual(await types('familya-opus-4.6'), ['reasoning', 'text']);
    assert.deepEqual(await types('familya-haiku-4.5'), ['text']);
  });

  it('with a signature on its reasoning, which must be returned with the same text', async () => {
    const sandbox = quickSandbox();
    const { parts } = await answerOf(sandbox, { format: 'messages', text: 'think' });
    const continued = (changed: typeof parts) => {
      const messages: Message[] = [
        user({ type: 'text', text: 'think' }),
        { role: 'assistant', parts: changed },
        user({ type: 'text', text: 'Go on' }),
      ];
      return askQuestion(sandbox, { format: 'messages', request: { messages } });
    };
    assert.equal((await continued(parts)).status, 200);
    const changed = parts.map((part) => (part.type === 'reasoning' ? { ...part, text: `${part.text} ` } : part));
    const refused = await continued(changed);
    assert.equal(refused.status, 400);
    assert.match(refused.text, /signature/);
  });
});

describe('The sandbox counts tokens', () => {
  it('beforehand, as the usage reports afterwards', async () => {
    const body = {
      model: 'familya-sonnet-4.6',
      system: 'Answer in verse.',
      messages: [{ role: 'user', content: 'How many tokens has this text, and the system prompt, and the tools?' }],
      tools: [{ name: 'look_up', description: 'Looks it up.', input_schema: { type: 'object' } }],
    };
    const sandbox = quickSandbox();
    const counted = JSON.parse((await ask(sandbox, { endpoint: '/messages/count_tokens', body })).text);
    const answered = await ask(sandbox, { endpoint: '/messages', body: { ...body, max_tokens: 50 } });
    assert.ok(counted.input_tokens > 30);
    assert.equal(JSON.parse(answered.text).usage.input_tokens, counted.input_tokens);
  });

  it('equally in all formats', async () => {
    const usages = await Promise.all(
      formatNames.map(async (format) => (await answerOf(quickSandbox(), { format, text: 'Count me' })).usage),
    );
    assert.equal(new Set(usages.map((usage) => usage?.inputTokens)).size, 1);
  });
});

describe('The sandbox answers a request about attached code', () => {
  const CODE = 'def one():\n    return 1';
  const ask = (question: string, attachment: string) =>
    answerOf(quickSandbox(), {
      format: 'messages',
      request: { messages: [user({ type: 'text', text: attachment }, { type: 'text', text: question })] },
    });
  const selection = `Selection from src/one.py (one.py:1–2):\n\`\`\`python\n${CODE}\n\`\`\``;

  it('with the same code and a comment, for the file that contains it', async () => {
    const text = textOf(await ask('Document it. Answer with all of it in one fenced code block.', selection));
    assert.match(text, /```python src\/one\.py\n# Sample from the sandbox[^\n]*\ndef one\(\):\n {4}return 1\n```$/);
  });

  it('with a fence that is longer than those in the code', async () => {
    const inner = '# Title\n```sh\nls\n```';
    const attached = `File notes.md:\n\`\`\`\`markdown\n${inner}\n\`\`\`\``;
    const text = textOf(await ask('Answer in one fenced code block.', attached));
    assert.ok(text.endsWith(`\n${inner}\n\`\`\`\``), text);
    assert.match(text, /````markdown notes\.md\n<!-- Sample/);
  });

  it('with a commit message if one is requested for a diff', async () => {
    const diff = 'diff --git a/src/one.py b/src/one.py\n-1\n+2';
    const attached = `Git changes (staged):\n\`\`\`diff\n${diff}\n\`\`\``;
    assert.equal(textOf(await ask('Write a commit message for these changes', attached)), 'Update one.py');
  });

  for (const question of ['Summarize it in a table.', 'Fasse es in einer Tabelle zusammen.', '用表格概括。']) {
    it(`with headings, a table, and a formula: ${question}`, async () => {
      const text = textOf(await ask(question, selection));
      assert.match(text, /^## src\/one\.py\n/);
      assert.match(text, /\| Lines \| 2 \|/);
      assert.match(text, /\$\$\n\\frac/);
    });
  }

  it('with the default report if no code is requested', async () => {
    assert.match(textOf(await ask('What is it?', selection)), /received this through/);
  });
});
