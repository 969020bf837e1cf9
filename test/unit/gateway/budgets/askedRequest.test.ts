import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  type AskedRequest,
  askedAnswers,
  askedOutputTokens,
  hasPreviousResponse,
  readAskedRequest,
} from '../../../../src/gateway/budgets/askedRequest.ts';
import { runs } from '../../../support/randomRuns.ts';

const read = (text: string) => readAskedRequest(Buffer.from(text));
const asked = (text: string): AskedRequest => {
  const result = read(text);
  assert.ok(!('error' in result), text);
  return result;
};
const errorOf = (text: string) => {
  const result = read(text);
  assert.ok('error' in result, text);
  return result.error;
};

describe('a request of a key with restrictions', () => {
  it('has its model read, wherever the member is', () => {
    const long = 'x'.repeat(20_000);
    for (const text of [
      '{"model":"a"}',
      `{"input":"${long}","model":"a"}`,
      '{"mod\\u0065l":"a"}',
      '{"inner":{"model":"b"},"model":"a","messages":[{"model":"c"}]}',
      '{"model":"a","model":"a"}',
    ]) {
      assert.equal(asked(text).model, 'a', text);
    }
    assert.equal(asked('{}').model, undefined);
    assert.equal(asked('{"model":5}').model, undefined);
  });

  for (const [name, text] of [
    ['twice', '{"model":"a","model":"b"}'],
    ['twice, far apart', `{"model":"a","input":"${'x'.repeat(20_000)}","model":"b"}`],
    ['twice, once escaped', '{"model":"a","\\u006dodel":"b"}'],
    ['once as a text and once not', '{"model":"a","model":5}'],
    ['in capitals beside', '{"model":"a","Model":"b"}'],
    ['in capitals alone', '{"MODEL":"b"}'],
    ['with an invisible character beside', '{"model":"a","model\u200b":"b"}'],
    ['with a null character beside', '{"model":"a","model\\u0000":"b"}'],
    ['with a space beside', '{"model ":"b","model":"a"}'],
  ] as const) {
    it(`is refused if it names its model ${name}`, () => {
      const { status, message } = errorOf(text);
      assert.equal(status, 400);
      assert.match(message, /specifies its model more than once, or not as "model"/);
    });
  }

  for (const [what, text] of [
    ['a limit with a long s', '{"model":"a","max_token\u017f":64000}'],
    ['a tier in capitals', '{"model":"a","Service_Tier":"priority"}'],
    ['earlier answers in capitals', '{"model":"a","Previous_Response_Id":"resp_1"}'],
    ['tools in capitals', '{"model":"a","Tools":[]}'],
    ['a limit without underscores', '{"model":"a","max_tokens":5,"maxTokens":64000}'],
    ['a limit with hyphens', '{"model":"a","max-output-tokens":64000}'],
    ['a type within twice', '{"model":"a","messages":[{"content":[{"type":"image_url","type":"text"}]}]}'],
    ['a lifetime within twice', '{"model":"a","tools":[{"cache_control":{"ttl":"1h","\\u0074tl":"5m"}}]}'],
  ] as const) {
    it(`is refused if it is ambiguous: ${what}`, () => {
      assert.match(errorOf(text).message, /twice/);
    });
  }

  it('may repeat a member name in different objects and in strings', () => {
    const text =
      '{"model":"a","messages":[{"role":"user","content":"{\\"a\\":1,\\"a\\":2}"},{"role":"user","content":"b"}]}';
    assert.equal(asked(text).model, 'a');
    assert.equal(asked('{"model":"a","metadata":{"__proto__":{"a":1},"constructor":{}}}').model, 'a');
  });

  it('is refused if it runs in the background, in any notation', () => {
    for (const value of ['true', '"true"', '1', '{}']) {
      assert.match(errorOf(`{"model":"a","background":${value}}`).message, /background/, value);
    }
    assert.equal(asked('{"model":"a","background":false}').model, 'a');
  });

  it('lists the other models that its tools may call', () => {
    const tools = '[{"type":"advisor","model":"b"},{"type":"draw","image_model":"c"},{"type":"own","model":"a"}]';
    const { toolModels } = asked(`{"model":"a","tools":${tools},"plugins":[{"id":"fusion","models":["d"]}]}`);
    assert.deepEqual(toolModels, ['b', 'c', 'd']);
    const schema = '{"type":"object","properties":{"model":{"type":"string","default":"b"}}}';
    assert.deepEqual(asked(`{"model":"a","tools":[{"name":"x","input_schema":${schema}}]}`).toolModels, []);
  });

  it('is refused if the number of answers is too large to be a number', () => {
    for (const name of ['n', 'best_of']) {
      assert.match(errorOf(`{"model":"a","${name}":1e999}`).message, /must be a number/, name);
    }
  });

  it('is refused if it is not a JSON object', () => {
    for (const text of ['', '{', '[]', 'null', '"model"', '{"model":"a"} x']) {
      assert.match(errorOf(text).message, /is not (?:a JSON object|JSON)/, text);
    }
    assert.match(errorOf(`{"model":"${'\ufffd'}`).message, /is not (?:a JSON object|JSON)/);
    const invalid = readAskedRequest(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
    assert.ok('error' in invalid);
  });

  it('is refused if it is nested too deeply', () => {
    const deep = `{"model":"a","messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    assert.match(errorOf(deep).message, /nested too deep/);
  });

  it('is never accepted with a model that another parser would not find', () => {
    const key = fc.constantFrom('model', 'Model', 'mod\\u0065l', 'other', 'messages');
    const value = fc.constantFrom('"a"', '"b"', '"\\u0061"', '5', 'null', '{"model":"b"}', '["model","b"]');
    const members = fc.array(fc.tuple(key, value), { maxLength: 4 });
    fc.assert(
      fc.property(members, (all) => {
        const result = read(`{${all.map(([name, given]) => `"${name}":${given}`).join(',')}}`);
        if ('error' in result) return;
        const named = all.filter(([name]) => JSON.parse(`"${name}"`).toLowerCase() === 'model');
        const texts = named.map(([, given]) => JSON.parse(given)).filter((given) => typeof given === 'string');
        assert.equal(texts[0], result.model);
        assert.equal(texts.at(-1), result.model);
      }),
      { numRuns: runs(3_000) },
    );
  });

  it('has the output token limit of its format', () => {
    assert.equal(askedOutputTokens(asked('{"max_tokens":5,"max_completion_tokens":7}'), 'chat-completions'), 7);
    assert.equal(askedOutputTokens(asked('{"max_tokens":5}'), 'messages'), 5);
    assert.equal(askedOutputTokens(asked('{"max_tokens":5,"max_output_tokens":7}'), 'responses'), 7);
    for (const text of ['{}', '{"max_tokens":0}', '{"max_tokens":-1}', '{"max_tokens":1e999}']) {
      assert.equal(askedOutputTokens(asked(text), 'messages'), undefined, text);
    }
  });

  it('has the highest limit if it names several, because the server may read any of them', () => {
    for (const name of ['max_output_tokens', 'max_completion_tokens', 'n_predict', 'num_predict', 'max_new_tokens']) {
      for (const format of ['chat-completions', 'messages'] as const) {
        assert.equal(askedOutputTokens(asked(`{"max_tokens":5,"${name}":7}`), format), 7, name);
        assert.equal(askedOutputTokens(asked(`{"max_tokens":5,"${name}":3}`), format), 5, name);
      }
      assert.match(JSON.stringify(read(`{"model":"a","${name}":"7"}`)), /must be a number/);
    }
    assert.equal(askedOutputTokens(asked('{"n_predict":7}'), 'chat-completions'), undefined);
  });

  it('may request several answers', () => {
    assert.equal(askedAnswers(asked('{"n":3}'), 'chat-completions'), 3);
    assert.equal(askedAnswers(asked('{"n":0}'), 'chat-completions'), 1);
    assert.equal(askedAnswers(asked('{}'), 'chat-completions'), 1);
    assert.equal(askedAnswers(asked('{"n":3}'), 'messages'), 1);
  });

  it('may continue a stored response', () => {
    assert.ok(hasPreviousResponse(asked('{"previous_response_id":"resp_1"}')));
    assert.ok(!hasPreviousResponse(asked('{"previous_response_id":null,"input":"x"}')));
  });
});
