import assert from 'node:assert/strict';
import { searchedText } from '../../../src/secrets/searchedBlocks.ts';

/** Without the names of members, which are texts without a name. */
const textOf = (body: unknown) =>
  searchedText(JSON.stringify(body))
    .replace(/^"": .*\n/gm, '')
    .trimEnd();

describe('the text of a request', () => {
  it('has each text on a separate line, after the name of its member', () => {
    const messages = [{ role: 'user', content: ['a "quoted" text', { text: 'two\nlines' }] }];
    assert.deepEqual(textOf({ model: 'small', messages }).split('\n').sort(), [
      '"content": "a "quoted" text"',
      '"model": "small"',
      '"role": "user"',
      '"text": "two',
      'lines"',
    ]);
  });

  it('includes the texts in call arguments, as an object or as a JSON string', () => {
    assert.equal(textOf({ input: { token: 'one' } }), '"token": "one"');
    assert.equal(textOf({ arguments: '{"token":"one"}' }), '"arguments": "{"token":"one"}"');
    assert.equal(textOf({ arguments: '{"token":' }), '"arguments": "{"token":"');
  });

  it('includes the names of members', () => {
    assert.match(searchedText('{"one":"two"}'), /^"": "one"$/m);
  });

  it('omits files and images', () => {
    const picture = 'iVBORw0KGgo'.repeat(200);
    assert.equal(
      textOf({ url: `data:image/png;base64,${picture}`, data: picture, name: 'picture' }),
      '"name": "picture"',
    );
  });

  it('is the body itself if it is not JSON', () => {
    assert.equal(searchedText('token=one'), 'token=one');
  });

  it('includes values that are nested deeper than the call stack', () => {
    const deep = `${'['.repeat(200_000)}"bottom"${']'.repeat(200_000)}`;
    assert.equal(searchedText(deep).trimEnd(), '"": "bottom"');
  });
});
