import assert from 'node:assert/strict';
import { readModelCatalog } from '../../../src/service/modelCatalog.ts';
import { readUpstreamList } from '../../../src/settings/upstreamList.ts';
import { fillInParts, fillInRequest } from '../../../src/suggestions/fillIn.ts';
import { suggestionModel } from '../../../src/suggestions/suggestionModel.ts';

const place = { path: 'a.py', languageId: 'python', before: 'def one():\n    ', after: '\n' };
const hole = { place, related: [{ path: 'b.py', text: 'def two():' }] };

async function partsOf(text: string, type = 'text/event-stream') {
  const parts = [];
  for await (const part of fillInParts(new Response(text, { headers: { 'content-type': type } }))) parts.push(part);
  return parts;
}

describe('a request to fill in text', () => {
  it('has the text after the cursor as a suffix', () => {
    const { url, body } = fillInRequest('http://host/v1/', 'suffix', 'coder', hole, 50);
    assert.equal(url, 'http://host/v1/completions');
    assert.equal(body.prompt, '# b.py\n# def two():\ndef one():\n    ');
    assert.deepEqual([body.suffix, body.max_tokens, body.stream], ['\n', 50, true]);
  });

  it('goes to the paths of Codestral and llama.cpp', () => {
    assert.equal(fillInRequest('http://host/v1', 'fim', 'coder', hole, 50).url, 'http://host/v1/fim/completions');
    const { url, body } = fillInRequest('http://host:8080/v1', 'infill', 'coder', hole, 50);
    assert.equal(url, 'http://host:8080/infill');
    assert.deepEqual(
      [body.input_prefix, body.input_suffix, body.input_extra, body.n_predict],
      [place.before, place.after, [{ filename: 'b.py', text: 'def two():' }], 50],
    );
  });

  it("has the model's own markers in the prompt", () => {
    const marked = fillInRequest('http://host/v1', { prefix: '<P>', suffix: '<S>', middle: '<M>' }, 'coder', hole, 50);
    assert.equal(marked.body.prompt, '<P># b.py\n# def two():\ndef one():\n    <S>\n<M>');
    const { body } = fillInRequest('http://host/v1', 'tokens', 'coder', hole, 50);
    assert.match(String(body.prompt), /^<\|fim_prefix\|>.*<\|fim_suffix\|>\n<\|fim_middle\|>$/s);
  });
});

describe('an answer with filled-in text', () => {
  it('is read from streams of each kind, with the usage', async () => {
    const stream =
      'data: {"choices":[{"text":"return "}]}\n\n' +
      'data: {"choices":[{"text":"1","finish_reason":"length"}],"usage":{"prompt_tokens":9,"completion_tokens":2}}\n\ndata: [DONE]\n\n';
    assert.deepEqual(await partsOf(stream), [
      { text: 'return ', isCut: false },
      { text: '1', isCut: true, usage: { inputTokens: 9, outputTokens: 2 } },
    ]);
    assert.equal((await partsOf('data: {"choices":[{"delta":{"content":"x"}}]}\n\n'))[0]?.text, 'x');
    const llama = 'data: {"content":"y","stop":true,"stop_type":"limit","tokens_evaluated":5,"tokens_predicted":1}\n\n';
    assert.deepEqual(await partsOf(llama), [{ text: 'y', isCut: true, usage: { inputTokens: 5, outputTokens: 1 } }]);
  });

  it('is read from one JSON body', async () => {
    assert.equal((await partsOf('{"choices":[{"text":"z"}]}', 'application/json'))[0]?.text, 'z');
    assert.equal((await partsOf('{"choices":[{"message":{"content":"z"}}]}', 'application/json'))[0]?.text, 'z');
  });

  it('fails with the reason that the server gives', async () => {
    await assert.rejects(partsOf('data: {"error":{"message":"Out of memory"}}\n\n'), /Out of memory/);
  });
});

describe('the model for inline suggestions', () => {
  const { models } = readModelCatalog({
    data: [
      { id: 'large', pricing: { input: 5, output: 25 } },
      { id: 'small', pricing: { input: 0.5, output: 2 } },
      { id: 'thinks', pricing: { input: 0.4, output: 2 }, capabilities: ['reasoning'] },
    ],
  });
  const { upstreams } = readUpstreamList([
    { id: 'local', baseUrl: 'http://host/v1', formats: ['chat-completions'], fillIn: 'infill' },
    { id: 'other', baseUrl: 'http://host/v1', formats: ['chat-completions'] },
  ]);
  const chosen = (name: string, times: Readonly<Record<string, number>> = {}) =>
    suggestionModel(name, models, upstreams, new Map(Object.entries(times)));

  it('is the cheapest that does not reason first, until times are measured', () => {
    assert.equal(chosen('')?.id, 'small');
  });

  it('is then the fastest of the cheap ones, and never an expensive one', () => {
    assert.equal(chosen('', { thinks: 300, small: 900, large: 100 })?.id, 'thinks');
  });

  it('is one of an upstream only if that fills in text', () => {
    assert.deepEqual([chosen('local/coder')?.kind, chosen('local/coder')?.id], ['fillIn', 'coder']);
    assert.deepEqual([chosen('other/coder')?.kind, chosen('other/coder')?.id], ['chat', 'other/coder']);
  });

  it('is none without a catalog', () => {
    assert.equal(suggestionModel('', [], upstreams, new Map()), undefined);
  });
});
