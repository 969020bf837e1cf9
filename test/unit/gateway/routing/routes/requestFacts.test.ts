import assert from 'node:assert/strict';
import fc from 'fast-check';
import { imagesIn } from '../../../../../src/gateway/routing/routes/images.ts';
import { KnownImages } from '../../../../../src/gateway/routing/routes/knownImages.ts';
import { OfferedTools } from '../../../../../src/gateway/routing/routes/offeredTools.ts';
import { RequestFacts } from '../../../../../src/gateway/routing/routes/requestFacts.ts';
import { runs } from '../../../../support/randomRuns.ts';

const factsOf = (body: unknown) =>
  new RequestFacts({ body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) });
const schema = { type: 'object', properties: { image: { type: 'string', enum: ['image', 'image_url'] } } };
const DATA = 'A'.repeat(40_000);

describe('the facts about a request that rules use', () => {
  for (const [where, tools] of [
    ['chat completions', [{ type: 'function', function: { name: 'wanted', parameters: schema } }]],
    ['messages', [{ name: 'other' }, { name: 'wanted', input_schema: schema }]],
    ['responses', [{ type: 'function', name: 'wanted' }]],
    ['hosted tools', [{ type: 'wanted' }]],
    ['hosted tools with a date', [{ name: 'x', type: 'wanted_20250305' }]],
  ] as const) {
    it(`include a tool of ${where}`, () => {
      const facts = factsOf({ messages: [{ content: 'Hi' }], tools, stream: true });
      assert.equal(facts.offersTool('wanted'), true);
      assert.equal(facts.hasTools, true);
    });
  }

  for (const [what, body] of [
    [
      'that was called before',
      { messages: [{ content: [{ type: 'tool_use', name: 'wanted' }] }], tools: [{ name: 'x' }] },
    ],
    ['that a text names', { messages: [{ content: 'Use "wanted"!' }], tools: [{ name: 'x' }] }],
    ['whose name is longer', { tools: [{ name: 'wanted_more' }, { type: 'wanted_2025' }, { name: 'unwanted' }] }],
    ['in the schema of another', { tools: [{ name: 'x', input_schema: { properties: { name: 'wanted' } } }] }],
    ['in a body that is no object', ['wanted']],
    ['in a body that is cut', '{"tools":[{"name":"wanted'],
  ] as const) {
    it(`do not include a tool ${what}`, () => {
      assert.equal(factsOf(body).offersTool('wanted'), false);
    });
  }

  for (const [where, body] of [
    ['chat completions', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: DATA } }] }] }],
    ['messages', { messages: [{ content: [{ source: { data: DATA }, type: 'image' }] }] }],
    [
      'a result of a tool',
      { messages: [{ content: [{ type: 'tool_result', content: [{ type: 'image', source: { data: DATA } }] }] }] },
    ],
    ['responses', { input: [{ role: 'user', content: [{ type: 'input_image', image_url: DATA }] }] }],
    [
      'the output of a call',
      { input: [{ type: 'function_call_output', output: [{ type: 'input_image', image_url: DATA }] }] },
    ],
  ] as const) {
    it(`include an image in ${where}, counted instead of its bytes`, () => {
      const facts = factsOf(`\uFEFF${JSON.stringify(body, undefined, 1)}`);
      assert.equal(facts.hasImage, true);
      assert.ok(facts.tokens >= 1_600 && facts.tokens < 1_700, String(facts.tokens));
    });
  }

  for (const [what, body] of [
    ['of a tool', { messages: [{ content: 'Hi' }], tools: [{ name: 'draw', input_schema: schema, type: 'image' }] }],
    ['of the arguments of a call', { messages: [{ content: [{ type: 'tool_use', input: { type: 'image' } }] }] }],
    ['of a text', { input: 'Say "image" or {"type":"image"}' }],
  ] as const) {
    it(`treat nothing ${what} as an image`, () => {
      assert.equal(factsOf(body).hasImage, false);
    });
  }

  it('count four bytes as a token', () => {
    assert.equal(factsOf({ input: 'x'.repeat(8_000) }).tokens, Math.ceil((8_000 + '{"input":""}'.length) / 4));
  });

  it('can be read from extremely nested bodies', () => {
    const depth = 100_000;
    const nested = `{"messages":${'[{"content":'.repeat(depth)}{"type":"image"}${'}]'.repeat(depth)}}`;
    assert.equal(factsOf(nested).hasImage, false);
  });
});

describe('the tools of earlier requests', () => {
  const tool = (name: string) => ({ name, input_schema: schema });
  const messages = (...texts: string[]) => texts.map((content) => ({ role: 'user', content }));
  const bodies: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['the first', { messages: messages('a'), tools: [tool('x'), tool('y')], stream: true }, ['x', 'y']],
    [
      'a longer conversation',
      { messages: messages('a', 'b'), tools: [tool('x'), tool('y')], stream: true },
      ['x', 'y'],
    ],
    ['fewer tools', { messages: messages('a', 'b'), tools: [tool('y')], stream: true }, ['y']],
    ['other members behind them', { messages: messages('a'), tools: [tool('y')], max_tokens: 9 }, ['y']],
    ['no tools', { messages: messages('a', 'b'), stream: true }, []],
    ['tools first', { tools: [tool('z')], messages: messages('a') }, ['z']],
    ['tools first, and a longer conversation', { tools: [tool('z')], messages: messages('a', 'b') }, ['z']],
    ['other tools first', { tools: [tool('w')], messages: messages('a') }, ['w']],
    ['tools in a text', { messages: messages(JSON.stringify({ tools: [tool('x')], stream: true })) }, []],
    ['tools in arguments', { messages: [{ content: [{ type: 'tool_use', input: { tools: [tool('x')] } }] }] }, []],
    ['the first again', { messages: messages('a'), tools: [tool('x'), tool('y')], stream: true }, ['x', 'y']],
  ];

  it('are recognized, and not confused with those of other requests', () => {
    const offered = new OfferedTools();
    for (const [what, body, names] of [...bodies, ...bodies.toReversed()]) {
      const bytes = Buffer.from(JSON.stringify(body));
      assert.deepEqual(
        offered.of(bytes).map(({ name }) => name),
        names,
        what,
      );
    }
  });

  it('are not taken from the end of a text', () => {
    const offered = new OfferedTools();
    const [, end = ''] = JSON.stringify({ messages: [], tools: [tool('x')] }).split('[],');
    assert.equal(offered.of(Buffer.from(`{"messages":[],${end}`)).length, 1);
    assert.equal(offered.of(Buffer.from(`{"messages":[],"\\${end}`)).length, 0);
  });

  it('are parsed once if requests offer the same tools', () => {
    const offered = new OfferedTools();
    const bodyOf = (text: string) => Buffer.from(JSON.stringify({ messages: messages(text), tools: [tool('x')] }));
    assert.equal(offered.of(bodyOf('a')), offered.of(bodyOf('something else')));
  });

  it('are dropped if there are many others', () => {
    const offered = new OfferedTools();
    const bodyOf = (name: string) => Buffer.from(JSON.stringify({ messages: [], tools: [tool(name)] }));
    const first = offered.of(bodyOf('first'));
    for (let nth = 0; nth < 50; nth += 1) offered.of(bodyOf(`other ${nth}`));
    assert.notEqual(offered.of(bodyOf('first')), first);
    assert.deepEqual(offered.of(bodyOf('first')), first);
  });
});

describe('the images of earlier requests', () => {
  const image = { type: 'image', source: { data: DATA } };
  const linked = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
  const turn = (...parts: object[]) => ({ role: 'user', content: parts });
  const said = (seed: number) => {
    const words = Array.from({ length: 400 }, (_, nth) => ((seed + 7) * (nth + 3) * 2_654_435_761).toString(36));
    return turn({ type: 'text', text: words.join(' ') });
  };
  const schemas = [{ name: 'draw', input_schema: schema }];
  const bytesOf = (messages: readonly object[], tools?: object) => Buffer.from(JSON.stringify({ messages, tools }));
  const plainOf = (body: Buffer) => {
    const { count, bytes } = imagesIn(body);
    return { count, bytes };
  };

  /** Compares what is known with what reading everything gives. */
  const compare = (known: KnownImages, body: Buffer, what: string) => {
    const { count, bytes } = known.of(body);
    assert.deepEqual({ count, bytes }, plainOf(body), what);
  };

  const long = Array.from({ length: 20 }, (_, nth) => said(nth));
  const edits: Readonly<Record<string, readonly object[]>> = {
    'the first': long,
    'a new turn': [...long, said(20)],
    'an image in a new turn': [...long, said(20), turn(image)],
    'turns after it': [...long, said(20), turn(image), said(21), said(22)],
    'a linked image in a new turn': [...long, said(20), turn(image), said(21), said(22), turn(linked)],
    'a text in place of the image': [...long, said(20), turn({ type: 'text', text: '[image]' }), said(21), said(22)],
    'an image in the first turn': [turn(linked), ...long],
    'the same without it': long,
    'fewer turns': long.slice(0, 3),
    'an image between turns': [...long.slice(0, 9), turn(linked, image), ...long.slice(9)],
    'another image between turns': [
      ...long.slice(0, 4),
      turn(linked),
      ...long.slice(4, 9),
      turn(image),
      ...long.slice(9),
    ],
    'a mark that has moved': long.map((each, nth) => (nth === 18 ? { ...each, cache_control: {} } : each)),
    'an image in a tool result': [...long, turn({ type: 'tool_result', content: [linked] })],
    'a repeated character': [...long, turn({ type: 'text', text: 'A'.repeat(50_000) })],
    'an image before repeated characters': [...long, turn(linked), turn({ type: 'text', text: 'A'.repeat(50_000) })],
  };

  it('are recognized, and not confused with those of edited conversations', () => {
    const known = new KnownImages();
    const entries = Object.entries(edits);
    for (const [what, messages] of [...entries, ...entries.toReversed()]) {
      compare(known, bytesOf(messages), what);
      compare(known, bytesOf(messages, schemas), `${what}, with a schema about images`);
    }
  });

  it('are the same as in a full scan, however a conversation grows and is edited', () => {
    const step = fc.record({
      add: fc.constantFrom('text', 'image', 'linked', 'nothing'),
      edit: fc.constantFrom('none', 'none', 'remove', 'insert', 'cut'),
      at: fc.nat(30),
    });
    const parts = { text: [], image: [turn(image)], linked: [turn(linked)], nothing: [] };
    const steps = fc.array(step, { minLength: 2, maxLength: 12 });
    const property = fc.property(steps, (all) => {
      const known = new KnownImages();
      let messages: object[] = [said(1)];
      for (const [nth, { add, edit, at }] of all.entries()) {
        if (edit === 'remove') messages.splice(at % messages.length, 1);
        if (edit === 'insert') messages.splice(at % messages.length, 0, turn(linked));
        if (edit === 'cut') messages = messages.slice(0, 1 + (at % messages.length));
        messages.push(said(nth), ...parts[add], said(nth + 100));
        compare(known, bytesOf(messages), JSON.stringify(all));
      }
    });
    fc.assert(property, { numRuns: runs(10) });
  });

  it('are kept separate for alternating conversations', () => {
    const known = new KnownImages();
    const others = Array.from({ length: 10 }, (_, nth) =>
      Array.from({ length: 12 }, (_each, at) => said(nth * 50 + at)),
    );
    for (let more = 0; more < 3; more++) {
      for (const [nth, messages] of others.entries()) {
        if (nth % 2 === 1) messages.splice(2, 0, turn(linked));
        compare(known, bytesOf(messages), `${nth}`);
      }
    }
  });
});
