import assert from 'node:assert/strict';
import { requestText } from '../../../../src/gateway/secrets/requestText.ts';

const textOf = (body: unknown) => requestText(Buffer.from(JSON.stringify(body)));

describe('the text of a request', () => {
  it('has each text on a line of its own, behind the name of its member', () => {
    const messages = [{ role: 'user', content: ['a "quoted" text', { text: 'two\nlines' }] }];
    assert.deepEqual(textOf({ model: 'm', messages }).split('\n').sort(), [
      '"content": "a "quoted" text"',
      '"model": "m"',
      '"role": "user"',
      '"text": "two',
      'lines"',
    ]);
  });

  it('has the texts in the arguments of a call, as an object or as JSON in a text', () => {
    assert.equal(textOf({ input: { token: 'one' } }), '"token": "one"');
    assert.equal(textOf({ arguments: '{"token":"one"}' }), '"token": "one"');
    assert.equal(textOf({ arguments: '{"token":' }), '"arguments": "{"token":"');
  });

  it('leaves files and pictures out', () => {
    const picture = 'iVBORw0KGgo'.repeat(200);
    assert.equal(textOf({ url: `data:image/png;base64,${picture}`, data: picture, name: 'x' }), '"name": "x"');
  });

  it('is the body itself if that is not JSON', () => {
    assert.equal(requestText(Buffer.from('token=one')), 'token=one');
  });

  it('has what is nested deeper than functions can be', () => {
    const deep = `${'['.repeat(200_000)}"bottom"${']'.repeat(200_000)}`;
    assert.equal(requestText(Buffer.from(deep)), '"": "bottom"');
  });
});
