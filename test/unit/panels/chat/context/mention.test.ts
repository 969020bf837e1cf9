import assert from 'node:assert/strict';
import { mentionAt, withoutMention } from '../../../../../src/panels/chat/context/mention.ts';
import { addressesOf, mayAttach } from '../../../../../src/panels/chat/context/useTransfers.ts';

describe('a mention in the draft', () => {
  it('begins with an @ at the start or after a space, and ends at the cursor', () => {
    assert.deepEqual(mentionAt('@', 1), { start: 0, end: 1, query: '' });
    assert.deepEqual(mentionAt('Why is @ses not', 11), { start: 7, end: 11, query: 'ses' });
  });

  it('is not recognized in an email address, or after a space', () => {
    assert.equal(mentionAt('me@example.com', 14), undefined);
    assert.equal(mentionAt('@one two', 8), undefined);
  });

  it('is removed with its trailing space when an item was chosen', () => {
    assert.equal(withoutMention('Why is @ses not', { start: 7, end: 11, query: 'ses' }), 'Why is not');
    assert.equal(withoutMention('@ses', { start: 0, end: 4, query: 'ses' }), '');
  });
});

describe('items dropped on the panel', () => {
  const carrier = (data: Readonly<Record<string, string>>) => ({
    types: Object.keys(data),
    getData: (type: string) => data[type] ?? '',
  });

  it('are read as file URIs, each once, without comments', () => {
    const dropped = carrier({ 'text/uri-list': '# files\r\nfile:///a/b.ts\r\nfile:///a/b.ts\r\nfile:///a/c.ts\r\n' });
    assert.ok(mayAttach(dropped));
    assert.deepEqual(addressesOf(dropped), ['file:///a/b.ts', 'file:///a/c.ts']);
  });

  it('may come in the editor’s own formats', () => {
    const dropped = carrier({ ResourceURLs: '["vscode-remote://host/a.ts"]' });
    assert.ok(mayAttach(dropped));
    assert.deepEqual(addressesOf(dropped), ['vscode-remote://host/a.ts']);
  });

  it('are not attached if they are a web page or text', () => {
    assert.deepEqual(addressesOf(carrier({ 'text/uri-list': 'https://example.com/' })), []);
    assert.ok(!mayAttach(carrier({ 'text/plain': 'words' })));
  });
});
