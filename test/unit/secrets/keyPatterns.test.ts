import assert from 'node:assert/strict';
import { hasKey, isKeyName } from '../../../src/secrets/keyPatterns.ts';

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

describe('secrets that have no form of their own', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64url');
  const token = [base64('{"alg":"HS256","typ":"JWT"}'), base64('{"sub":"1234567890"}'), 'x'.repeat(43)].join('.');

  it('are found by what stands around them', () => {
    for (const text of [
      `AWS_SECRET_ACCESS_KEY=${'wJ/+'.repeat(10)}`,
      `  aws_secret_access_key: "${'a1B2'.repeat(10)}"`,
      `{ "awsSecretAccessKey": "${'a1B2'.repeat(10)}" }`,
      `Authorization: Bearer ${token}`,
      'DATABASE_URL=postgres://admin:Hk82jd7Qw@db.internal:5432/app',
      'mongodb+srv://user:Hk82jd7Qw@cluster0.example.net/x',
      'redis://:Hk82jd7Qw@cache:6379',
      `    client-key-data: ${'LS0t'.repeat(20)}`,
      '{ "private_key": "-----BEGIN PRIVATE KEY-----\\nMIIEvQ\\n-----END PRIVATE KEY-----" }',
    ]) {
      assert.ok(hasKey(text), text);
    }
  });

  it('are not seen in examples and in code that reads them', () => {
    for (const text of [
      'AWS_SECRET_ACCESS_KEY=your-secret-here',
      'const key = process.env.AWS_SECRET_ACCESS_KEY;',
      'postgres://localhost:5432/app',
      'postgres://user:$PASSWORD@db/app',
      `postgres://user:\${PASSWORD}@db/app`,
      'postgresql://user:<password>@host/db',
      'a token such as eyJhbGciOi…',
      'https://example.org/a:b@c',
    ]) {
      assert.ok(!hasKey(text), text);
    }
  });

  it('are expected in files of these names', () => {
    for (const name of [
      '.envrc',
      'terraform.tfstate',
      'terraform.tfstate.backup',
      'prod.auto.tfvars',
      'kubeconfig.yaml',
      'home/.kube/config',
    ])
      assert.ok(isKeyName(name), name);
    for (const name of ['config', 'environment.ts', 'tfstate.md', 'kube/config.ts']) assert.ok(!isKeyName(name), name);
  });
});
