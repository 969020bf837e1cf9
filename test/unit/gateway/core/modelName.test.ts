import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findModel, modelName } from '../../../../src/gateway/core/modelName.ts';
import { runs } from '../../../support/randomRuns.ts';

const find = (json: string) => modelName(Buffer.from(json));

describe('the model name in a body', () => {
  it('is the top-level member "model"', () => {
    assert.equal(find('{"model":"familya-haiku-4.5","messages":[]}'), 'familya-haiku-4.5');
  });

  it('is found after other members and unusual whitespace', () => {
    assert.equal(find(' {\n "a" : [ {"model":"no"} , "model" ],"b":"model", "model"\t:\r\n"yes" }'), 'yes');
  });

  it('is not taken from within another value or string', () => {
    assert.equal(find('{"x":{"model":"no"},"y":"{\\"model\\":\\"no\\"}"}'), undefined);
  });

  it('is unescaped', () => {
    assert.equal(find('{"model":"a\\"b\\u00e9ü"}'), 'a"béü');
  });

  for (const body of [
    '',
    '{',
    '[]',
    '"model"',
    '{"model"',
    '{"model":',
    '{"model":"cut',
    '{"model":1}',
    'not json',
    '{}}}',
  ]) {
    it(`is unknown in ${JSON.stringify(body)}`, () => assert.equal(find(body), undefined));
  }

  it('is found after a long conversation, whatever it contains', () => {
    const messages = [{ role: 'user', content: `{"model":"no"} ${'x'.repeat(100_000)}` }];
    const tools = [{ parameters: { properties: { model: { type: 'string' } } } }];
    assert.equal(find(JSON.stringify({ messages, tools, model: 'late' })), 'late');
    assert.equal(find(JSON.stringify({ messages, tools })), undefined);
  });

  for (let at = 8 * 1024 - 20; at <= 8 * 1024; at += 1) {
    it(`is found at byte ${at}`, () => {
      const padding = 'x'.repeat(at - '{"padding":"","model":'.length);
      assert.equal(find(`{"padding":"${padding}","model":"some-model"}`), 'some-model');
    });
  }

  it('is the same as with a JSON parser, for any short object', () => {
    const body = fc.dictionary(fc.oneof(fc.constant('model'), fc.string()), fc.jsonValue(), { maxKeys: 6 });
    const property = fc.property(body, fc.constantFrom(0, 1, 3), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      fc.pre(Buffer.byteLength(text) < 8000);
      const parsed: unknown = JSON.parse(text);
      const { model } = parsed as { model?: unknown };
      assert.equal(find(text), typeof model === 'string' ? model.toWellFormed() : undefined);
    });
    fc.assert(property, { numRuns: runs(100) });
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) =>
        ['string', 'undefined'].includes(typeof modelName(Buffer.from(bytes))),
      ),
    );
  });
});

describe('a body with too many bytes between its strings', () => {
  const spaces = ' \n'.repeat(4_500_000);

  it('is not searched any further for its model', () => {
    assert.equal(findModel(Buffer.from(`{"a":[${spaces}],"model":"m"}`)), undefined);
  });

  it('is searched through strings of any length', () => {
    assert.equal(findModel(Buffer.from(`{"a":"${' '.repeat(spaces.length)}","model":"m"}`))?.name, 'm');
  });
});
