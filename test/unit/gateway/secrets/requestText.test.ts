import assert from 'node:assert/strict';
import { requestText } from '../../../../src/gateway/secrets/requestText.ts';

const textOf = (body: unknown) => requestText(Buffer.from(JSON.stringify(body)));

describe('the text of a request', () => {
  it('has each text on a separate line, after the name of its member', () => {
    const messages = [{ role: 'user', content: ['a "quoted" text', { text: 'two\nlines' }] }];
    assert.deepEqual(textOf({ model: 'm', messages }).split('\n').sort(), [
      '"content": "a "quoted" text"',
      '"model": "m"',
      '"role": "user"',
      '"text": "two',
      'lines"',
    ]);
  });

  it('includes the texts in call arguments, as an object or as a JSON string', () => {
    assert.equal(textOf({ input: { token: 'one' } }), '"token": "one"');
    assert.equal(textOf({ arguments: '{"token":"one"}' }), '"token": "one"');
    assert.equal(textOf({ arguments: '{"token":' }), '"arguments": "{"token":"');
  });

  it('omits files and images', () => {
    const picture = 'iVBORw0KGgo'.repeat(200);
    assert.equal(textOf({ url: `data:image/png;base64,${picture}`, data: picture, name: 'x' }), '"name": "x"');
  });

  it('is the body itself if it is not JSON', () => {
    assert.equal(requestText(Buffer.from('token=one')), 'token=one');
  });

  it('includes values that are nested deeper than the call stack', () => {
    const deep = `${'['.repeat(200_000)}"bottom"${']'.repeat(200_000)}`;
    assert.equal(requestText(Buffer.from(deep)), '"": "bottom"');
  });
});
