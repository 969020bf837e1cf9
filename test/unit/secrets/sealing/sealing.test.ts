import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { BodySealer } from '../../../../src/secrets/bodySealer.ts';
import { openerFor } from '../../../../src/secrets/openedAnswer.ts';
import { openJson } from '../../../../src/secrets/openedJson.ts';
import { kindsOf } from '../../../../src/secrets/sealAnswer.ts';
import { locateSecrets } from '../../../../src/secrets/secretFinder.ts';
import type { KnownSecret, SecretTable } from '../../../../src/secrets/secretTable.ts';
import { LITERAL, StandIns } from '../../../../src/secrets/standIns.ts';
import { runs } from '../../../support/randomRuns.ts';
import { eventsOf, type Format, joinedDeltas } from './answers.ts';
import { FORMS_OF_PLANTED, type Planted, planted } from './plantedSecrets.ts';

const newSealer = (key = 'tests') => new BodySealer({ standIns: new StandIns(Buffer.from(key)), find: locateSecrets });

const TOKEN = `ghp_${'a1B2c3D4e'.repeat(4)}`;

/** A secret whose characters need escapes. */
const QUOTED = `Zx9"q\\w!7\n${'Q'.repeat(9)}`;

async function sealed(body: unknown, sealer = newSealer(), known: readonly KnownSecret[] = []) {
  const source = typeof body === 'string' ? body : JSON.stringify(body);
  return (await sealer.seal(Buffer.from(source), known)) ?? assert.fail('it is JSON');
}

/** Every piece of this many characters identifies a secret. */
const PIECE = 12;

function assertAbsent(body: Buffer, { value }: Planted): void {
  const text = body.toString();
  const spellings = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
  for (const spelling of spellings) {
    for (let at = 0; at + PIECE <= spelling.length; at += 1) {
      const piece = spelling.slice(at, at + PIECE);
      assert.ok(!text.includes(piece), `${piece} of ${value}`);
    }
  }
  const inBase64 = Buffer.from(value).toString('base64').replace(/=+$/, '');
  assert.ok(!text.includes(inBase64.slice(0, -2)), 'in base64');
}

/** Where a text can be in a request. */
type Place = (text: string) => unknown;

const PLACES: readonly Place[] = [
  (text) => ({ role: 'user', content: text }),
  (text) => ({ role: 'user', content: [{ type: 'text', text }] }),
  (text) => ({ role: 'system', content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }] }),
  (text) => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'x', name: 'f', input: { list: [{ a: text }] } }],
  }),
  (text) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: [{ type: 'text', text }] }] }),
  (text) => ({
    role: 'assistant',
    tool_calls: [{ function: { name: 'f', arguments: JSON.stringify({ cmd: text }) } }],
  }),
  (text) => ({ role: 'tool', tool_call_id: 'x', content: text }),
  (text) => ({ type: 'function_call', name: 'f', arguments: JSON.stringify({ nested: { cmd: [text] } }) }),
  (text) => ({ type: 'function_call_output', call_id: 'x', output: text }),
  (text) => ({ type: 'custom_tool_call', input: text }),
  (text) => ({ type: 'custom_tool_call_output', output: [{ type: 'input_text', text }] }),
  (text) => ({ type: 'message', role: 'developer', content: [{ type: 'input_text', text }] }),
  (text) => ({ metadata: { note: text } }),
  (text) => ({ tools: [{ name: 'f', description: text, input_schema: { properties: { [text]: {} } } }] }),
  (text) => ({ type: 'document', source: { type: 'text', data: text } }),
];

/** How a value is written where it is used a second time. */
const USES: readonly ((value: string) => string)[] = [
  (value) => `it was ${value} before`,
  (value) => `curl -u me:${encodeURIComponent(value)} https://example.com/?token=${encodeURIComponent(value)}&x=1`,
  (value) => Buffer.from(value).toString('base64'),
  (value) => `echo ${Buffer.from(`${value}\n`).toString('base64')} | base64 -d`,
  (value) => JSON.stringify({ a: value }),
  (value) => JSON.stringify({ a: JSON.stringify({ b: value }) }),
];

const words = fc.constantFrom(
  '',
  'some words ',
  'und Wörter 你好 ',
  'a "quoted" \\ back\\slash\n\ttab ',
  'x'.repeat(600),
);

const request = fc
  .record({
    secrets: fc.array(planted, { minLength: 1, maxLength: 3 }),
    around: fc.array(words, { minLength: 1, maxLength: 12 }),
    places: fc.array(fc.nat(PLACES.length - 1), { minLength: 2, maxLength: 8 }),
    uses: fc.array(fc.nat(USES.length - 1), { maxLength: 4 }),
  })
  .map(({ secrets, around, places, uses }) => {
    const texts = [
      ...secrets.map(({ text }, at) => `${around[at % around.length]}\n${text}\n${around.at(-1)}`),
      ...uses.map((use, at) => (USES[use] as (value: string) => string)(secrets[at % secrets.length]?.value ?? '')),
      ...around,
    ];
    const items = texts.map((text, at) => (PLACES[places[at % places.length] ?? 0] as Place)(text));
    return { secrets, body: { model: 'm', messages: items, stream: true } };
  });

describe('the sealed body of a request', () => {
  it('has no secret of more than 40 forms', async () => {
    assert.ok(FORMS_OF_PLANTED.length > 40);
    for (const form of FORMS_OF_PLANTED) {
      const property = fc.asyncProperty(form, async (secret) => {
        const { body, secrets, table } = await sealed({ a: `before\n${secret.text}\nafter` });
        assertAbsent(body, secret);
        const kinds = kindsOf(secrets);
        assert.ok(kinds.includes(secret.kind), `${kinds} for ${secret.text}`);
        assert.ok([...table.texts.values()].includes(secret.value));
      });
      await fc.assert(property, { numRuns: runs(5) });
    }
  });

  it('has no secret in any place and spelling, and is restored byte by byte', async () => {
    const property = fc.asyncProperty(request, fc.constantFrom(undefined, 1), async ({ secrets, body }, space) => {
      const source = JSON.stringify(body, null, space);
      const { body: bytes, table, secrets: found } = await sealed(source);
      for (const each of secrets) assertAbsent(bytes, each);
      assert.ok(found.length >= new Set(secrets.map(({ value }) => value)).size);
      const counts = { opened: 0, unknown: 0 };
      assert.equal(openJson(bytes.toString(), table, counts, false), source);
      assert.equal(counts.unknown, 0);
    });
    await fc.assert(property, { numRuns: runs(150) });
  });

  it('is the same in each run, for each request that repeats it, and different with another key', async () => {
    const first = { messages: [{ role: 'user', content: `my token is ${TOKEN}` }] };
    const second = { messages: [...first.messages, { role: 'user', content: 'go on' }] };
    const [one, again, longer, other] = await Promise.all([
      sealed(first),
      sealed(first),
      sealed(second),
      sealed(first, newSealer('another')),
    ]);
    assert.equal(one.body.toString(), again.body.toString());
    assert.ok(longer.body.toString().startsWith(one.body.toString().slice(0, -2)));
    assert.notEqual(one.body.toString(), other.body.toString());
  });

  it('keeps the prefix of a token, and about its length', async () => {
    const { body } = await sealed({ a: `token ${TOKEN}` });
    const [standIn = ''] = /ghp_\w+/.exec(body.toString()) ?? [];
    assert.ok(standIn.startsWith(`ghp_${LITERAL}`));
    assert.ok(Math.abs(standIn.length - TOKEN.length) <= 8, standIn);
  });

  it('is the given bytes if there is no secret', async () => {
    const body = Buffer.from('{ "a" : ["nothing", 1.0, true, null, "caf\\u00e9"] }');
    assert.equal((await newSealer().seal(body))?.body, body);
  });

  it('keeps the frame of a private key, so that the kind of the text is known', async () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'Ab1+'.repeat(16)}\n-----END RSA PRIVATE KEY-----`;
    const { body } = await sealed({ a: key });
    assert.match(
      JSON.parse(body.toString()).a,
      /^-----BEGIN RSA PRIVATE KEY-----\n\w+\n-----END RSA PRIVATE KEY-----$/,
    );
  });

  it('has no secret that is cut into two texts of one message', async () => {
    const parts = (...texts: string[]) => texts.map((text) => ({ type: 'text', text }));
    const [head, tail] = [TOKEN.slice(0, 14), TOKEN.slice(14)];
    for (const content of [parts(`the token ${head}`, `${tail} is mine`), parts('x '.repeat(1000) + head, tail)]) {
      const { body, table, secrets } = await sealed({ messages: [{ role: 'user', content }] });
      assert.equal(secrets.length, 1);
      assert.ok(!body.includes(tail) && !body.includes(head), body.toString());
      assert.deepEqual([...table.texts.values()], [TOKEN]);
    }
  });

  it('has no line of a private key that is cut into two texts of one message', async () => {
    const key = Array.from({ length: 12 }, (_, at) => randomBytes(at === 11 ? 9 : 48).toString('base64'));
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${key.join('\n')}\n-----END RSA PRIVATE KEY-----\n`;
    for (let cut = 32; cut < pem.length - 31; cut += 5) {
      const parts = [`It is\n${pem.slice(0, cut)}`, `${pem.slice(cut)}as you see`];
      const content = parts.map((text) => ({ type: 'text', text }));
      const { body } = await sealed({ messages: [{ role: 'user', content }] });
      for (const line of key) assertAbsent(body, { kind: 'privatekey', value: line, text: line });
    }
  });

  it('has nothing in place of the signature of reasoning', async () => {
    const signature = `${'EqQBCkgIARABGAIiQAbc/'.repeat(8)}AKIAABCDEFGHIJKLMNOP+`;
    const { body } = await sealed({ content: [{ type: 'thinking', thinking: 'x', signature }] });
    assert.ok(body.includes(signature));
  });

  it('does not replace the stand-ins of another installation', async () => {
    const { body } = await sealed({ a: TOKEN });
    const again = await sealed(body.toString(), newSealer('another'));
    assert.equal(again.body.toString(), body.toString());
    assert.equal(again.secrets.length, 0);
  });

  it('does not exist for bytes that are not JSON in UTF-8', async () => {
    const wrong = ['{"a":"b"', `{"a":"b"} ${TOKEN}`, `${TOKEN}`, '{"a":"b"]', '{"a" "b";}'];
    for (const each of wrong) assert.equal(await newSealer().seal(Buffer.from(each)), undefined, each);
    assert.equal(await newSealer().seal(Buffer.from([0x22, 0xff, 0x22])), undefined);
  });

  it('searches only what is new in a conversation', async () => {
    const searched: number[] = [];
    const counting = (texts: readonly string[]) => {
      searched.push(texts.reduce((sum, { length }) => sum + length, 0));
      return locateSecrets(texts);
    };
    const sealer = new BodySealer({ standIns: new StandIns(Buffer.from('k')), find: counting });
    const messages = Array.from({ length: 200 }, (_, at) => ({
      role: 'user',
      content: `${at} ${'word '.repeat(400)}`,
    }));
    await sealed({ messages }, sealer);
    await sealed({ messages: [...messages, { role: 'user', content: `new ${TOKEN}` }] }, sealer);
    assert.ok((searched[0] ?? 0) > 300_000 && (searched[1] ?? 0) < 10_000, String(searched));
  });
});

const FORMATS: readonly Format[] = ['chat-completions', 'messages', 'responses'];

/** Cuts at random places, also within stand-ins. */
const cuts = fc
  .array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 40 })
  .map((lengths) => (text: string) => {
    const pieces: string[] = [];
    for (let at = 0, turn = 0; at < text.length; turn += 1) {
      const length = lengths[turn % lengths.length] ?? 1;
      pieces.push(text.slice(at, at + length));
      at += length;
    }
    return pieces;
  });

function openStream(table: SecretTable, stream: string, sizes: readonly number[], type = 'text/event-stream'): string {
  const opener = openerFor(table, { contentType: type, isStructured: false }) ?? assert.fail('it has texts');
  const bytes = Buffer.from(stream);
  const opened: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    opened.push(opener.push(Buffer.from(bytes.subarray(at, at + size))));
    at += size;
  }
  return Buffer.concat([...opened, opener.end()]).toString();
}

describe('the answer to a sealed request', () => {
  const answers = fc.record({
    secrets: fc.array(planted, { minLength: 1, maxLength: 2 }),
    texts: fc.array(fc.tuple(words, fc.nat(3), words), { minLength: 4, maxLength: 4 }),
    format: fc.constantFrom(...FORMATS),
    cut: cuts,
    sizes: fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 20 }),
    breaks: fc.constantFrom('\n', '\r\n'),
  });

  it('is what the model would have written with the secrets, wherever it is cut', async () => {
    const property = fc.asyncProperty(answers, async ({ secrets, texts, format, cut, sizes, breaks }) => {
      const { table } = await sealed({
        messages: secrets.map(({ text }) => ({ role: 'user', content: `\n${text}\n` })),
      });
      const known = [...table.texts];
      const write = (form: 'sealed' | 'real') => {
        const [reasoning = '', text = '', command = '', freeForm = ''] = texts.map(([before, at, after]) => {
          const [standIn = '', secret = ''] = known[at % Math.max(1, known.length)] ?? [];
          return `${before}${form === 'sealed' ? standIn : secret}${after}`;
        });
        const calls = [JSON.stringify({ command, n: 1 }), JSON.stringify([command])];
        return { reasoning, text, calls, freeForm };
      };
      const stream = eventsOf(format, write('sealed'), cut).join('').replaceAll('\n', breaks);
      const opened = openStream(table, stream, sizes).replaceAll(breaks, '\n');
      const expected = eventsOf(format, write('real'), cut).join('');
      assert.deepEqual(joinedDeltas(opened), joinedDeltas(expected));
      assert.equal(opened.split('\n\n').length, stream.replaceAll(breaks, '\n').split('\n\n').length);
      assert.ok(!opened.includes(LITERAL), 'nothing is left');
    });
    await fc.assert(property, { numRuns: runs(200) });
  });

  it('is restored in each string if it is not a stream', async () => {
    const { table } = await sealed({ a: `it is ${QUOTED}` }, newSealer(), [{ value: QUOTED, kind: 'env' }]);
    const [standIn = ''] = table.texts.keys();
    const of = (value: string) => ({
      choices: [
        {
          message: {
            content: `it is ${value}`,
            tool_calls: [{ function: { arguments: JSON.stringify({ a: value }) } }],
          },
        },
      ],
      content: [{ type: 'tool_use', input: { b: value } }],
      n: 1,
    });
    const opened = openStream(table, JSON.stringify(of(standIn)), [7], 'application/json');
    assert.deepEqual(JSON.parse(opened), of(QUOTED));
  });

  it('is JSON where the request demands JSON', async () => {
    const { table } = await sealed({ a: `it is ${QUOTED}` }, newSealer(), [{ value: QUOTED, kind: 'env' }]);
    const [standIn = ''] = table.texts.keys();
    const opener = openerFor(table, { contentType: 'application/json', isStructured: true }) ?? assert.fail();
    opener.push(Buffer.from(JSON.stringify({ content: [{ text: JSON.stringify({ a: standIn }) }] })));
    assert.deepEqual(JSON.parse(JSON.parse(opener.end().toString()).content[0].text), { a: QUOTED });
  });

  it('keeps stand-ins that the model has changed, and counts them', async () => {
    const { table } = await sealed({ a: TOKEN });
    const [standIn = ''] = table.texts.keys();
    const cutOff = standIn.slice(0, -3);
    const opener = openerFor(table, { contentType: 'application/json', isStructured: false }) ?? assert.fail();
    const answer = JSON.stringify({ text: `${standIn} ${cutOff} ${cutOff}ZZZ` });
    opener.push(Buffer.from(answer));
    assert.equal(JSON.parse(opener.end().toString()).text, `${TOKEN} ${cutOff} ${cutOff}ZZZ`);
    assert.deepEqual(opener.counts, { opened: 1, unknown: 2 });
  });

  it('is opened in calls whose deltas alternate, and in choices', async () => {
    const { table } = await sealed({ a: TOKEN });
    const [standIn = ''] = table.texts.keys();
    const [head, tail] = [standIn.slice(0, 12), standIn.slice(12)];
    const call = (index: number, written: string) => ({
      choices: [{ index: 0, delta: { tool_calls: [{ index, function: { arguments: written } }] } }],
    });
    const choice = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] });
    const events = [
      call(0, `{"a":"${head}`),
      call(1, `{"b":"${head}`),
      call(0, `${tail}"}`),
      call(1, `${tail}"}`),
      choice(1, `one ${head}`),
      choice(2, `two ${head}`),
      choice(2, `${tail}!`),
      choice(1, `${tail}?`),
    ];
    const stream = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    const opened = openStream(table, stream, [50]);
    assert.ok(!opened.includes(LITERAL), opened);
    assert.equal(opened.split(TOKEN).length, 5);
    assert.ok(opened.includes(`one ${TOKEN}`) && opened.includes(`two ${TOKEN}`));
  });

  it('is opened if its headers do not say what it is', async () => {
    const { table } = await sealed({ a: TOKEN });
    const [standIn = ''] = table.texts.keys();
    const stream = eventsOf('responses', { reasoning: '', text: standIn, calls: [], freeForm: standIn }, (text) => [
      text.slice(0, 9),
      text.slice(9),
    ]).join('');
    for (const [answer, size] of [
      [`: hello\n\n${stream}`, 3],
      [`  ${JSON.stringify({ output: standIn })}`, 1],
    ] as const) {
      const opened = openStream(table, answer, [size], '');
      assert.ok(!opened.includes(LITERAL) && opened.includes(TOKEN), opened);
    }
  });

  it('is not read if it is audio', async () => {
    const { table } = await sealed({ a: TOKEN });
    assert.equal(openerFor(table, { contentType: 'audio/mpeg', isStructured: false }), undefined);
  });
});
