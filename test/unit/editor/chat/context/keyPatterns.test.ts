import assert from 'node:assert/strict';
import { hasKey, isKeyName } from '../../../../../src/editor/chat/context/keyPatterns.ts';

describe('names of files that keep keys', () => {
  for (const path of [
    '.env',
    'server/.env.production',
    'prod.env',
    'certs/server.pem',
    'id_rsa',
    '.ssh/id_ed25519',
    'home/.npmrc',
    'credentials.json',
    'config/secrets.yml',
    'release.keystore',
  ]) {
    it(`${path} is one`, () => assert.ok(isKeyName(path)));
  }

  for (const path of ['.env.example', 'src/environment.ts', 'id_rsa.pub', 'keys.ts', 'monkey.ts', 'README.md']) {
    it(`${path} is none`, () => assert.ok(!isKeyName(path)));
  }
});

describe('text with a key in it', () => {
  const filler = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8';

  for (const text of [
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    'aws_access_key_id = AKIAABCDEFGHIJKLMNOP',
    `token: ghp_${filler}`,
    `export SERVICE_KEY=key_${filler}`,
    `sk-${filler}`,
    `AIza${filler.slice(0, 35)}`,
  ]) {
    it(`is found in “${text.slice(0, 24)}…”`, () => assert.ok(hasKey(`first line\n${text}\n`)));
  }

  for (const text of ['-----BEGIN PUBLIC KEY-----', 'const key_name = 1', 'the sk-loading class', 'api_key: string;']) {
    it(`is not found in “${text}”`, () => assert.ok(!hasKey(text)));
  }
});
