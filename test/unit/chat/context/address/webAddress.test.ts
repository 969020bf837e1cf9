import assert from 'node:assert/strict';
import { isPrivate, isWebAddress, parseWebAddress } from '../../../../../src/chat/context/address/webAddress.ts';

describe('an address after @', () => {
  it('is recognized once it has a host', () => {
    assert.deepEqual(
      ['https://a', 'HTTP://docs.example.com/x', 'https://', 'https', 'ftp://a', 'src/https://a'].map(isWebAddress),
      [true, true, false, false, false, false],
    );
  });

  it('has no fragment, user name or password', () => {
    assert.equal(
      parseWebAddress(' https://docs.example.com/rates?a=1#top ').href,
      'https://docs.example.com/rates?a=1',
    );
    assert.throws(() => parseWebAddress('https://me:secret@example.com/'), /user name or password/);
    assert.throws(() => parseWebAddress('https://me@example.com/'), /user name or password/);
    assert.throws(() => parseWebAddress('file:///etc/passwd'), /https:\/\/ or http:\/\//);
    assert.throws(() => parseWebAddress('https://exa mple'), /not a valid address/);
  });

  const LOCAL = [
    'localhost:8080',
    'app.localhost',
    'printer.local',
    'intranet',
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '[::1]',
    '[::]',
    '[fd00::1]',
    '[fe80::1]',
    '[::ffff:10.0.0.1]',
    'localhost.',
    'metadata.google.internal',
    '0.0.0.0',
    '192.0.0.8',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::7f00:1]',
    '[fec0::1]',
    '[ff02::1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
  ];
  for (const host of LOCAL) {
    it(`is on this machine or a local network: ${host}`, () => {
      assert.equal(isPrivate(new URL(`http://${host}/`)), true);
    });
  }

  for (const host of [
    'example.com',
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '[2606:4700::1111]',
    '[64:ff9b::808:808]',
    '[::ffff:8.8.8.8]',
    '198.20.0.1',
    'local.example.com',
  ]) {
    it(`is public: ${host}`, () => {
      assert.equal(isPrivate(new URL(`http://${host}/`)), false);
    });
  }
});
