import assert from 'node:assert/strict';
import { findSecrets } from '../../../src/secrets/secretFinder.ts';

const FILLER = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8';
const base64 = (text: string) => Buffer.from(text).toString('base64url');
const TOKEN = [base64('{"alg":"HS256","typ":"JWT"}'), base64('{"sub":"1234567890"}'), 'x'.repeat(43)].join('.');

const SECRETS: readonly (readonly [text: string, kind: string])[] = [
  ['-----BEGIN OPENSSH PRIVATE KEY-----', 'privatekey'],
  ['{ "private_key": "-----BEGIN PRIVATE KEY-----\\nMIIEvQ\\n-----END PRIVATE KEY-----" }', 'privatekey'],
  ['aws_access_key_id = AKIAABCDEFGHIJKLMNOP', 'aws'],
  [`AWS_SECRET_ACCESS_KEY=${'wJ/+'.repeat(10)}`, 'aws'],
  [`  aws_secret_access_key: "${'a1B2'.repeat(10)}"`, 'aws'],
  [`{ "awsSecretAccessKey": "${'a1B2'.repeat(10)}" }`, 'aws'],
  [`token: ghp_${FILLER}`, 'github'],
  [`export SERVICE_KEY=key_${FILLER}`, 'api-key'],
  [`sk-${FILLER}`, 'api-key'],
  [`AIza${FILLER.slice(0, 35)}`, 'gcp'],
  [`Authorization: Bearer ${TOKEN}`, 'jwt'],
  ['DATABASE_URL=postgres://admin:Hk82jd7Qw@db.internal:5432/app', 'database-connection-string'],
  ['mongodb+srv://user:Hk82jd7Qw@cluster0.example.net/x', 'database-connection-string'],
  ['redis://:Hk82jd7Qw@cache:6379', 'database-connection-string'],
  [`    client-key-data: ${'LS0t'.repeat(20)}`, 'kubeconfig'],
  ['git clone https://someone:Hk82jd7Qw@git.example.com/x', 'basicauth'],
  [`https://hooks.slack.com/services/T0AB12CD3/B0AB12CD3/${FILLER.slice(0, 24)}`, 'slack'],
  [`hf_${'abcdEFGHij'.repeat(4).slice(0, 34)}`, 'huggingface'],
  [`//packages.example.com/:_authToken=${FILLER}`, 'npm'],
  [`pypi-AgEIcHlwaS5vcmc${FILLER.repeat(2)}`, 'pypi'],
  [`TWILIO_KEY=SK${'0a1b2c3d'.repeat(4)}`, 'twilio'],
  [`api: key-${'0a1b2c3d'.repeat(4)}`, 'mailgun'],
  [`AccountName=a;AccountKey=${'a1B2'.repeat(21)}ab==`, 'azure'],
  [`dop_v1_${'0a1b2c3d'.repeat(8)}`, 'digitalocean'],
  [`dp.pt.${'a1B2'.repeat(11)}`, 'doppler'],
  [`123456789:AA${FILLER.slice(0, 33)}`, 'telegram'],
  [`DISCORD=MTA${'a1B2'.repeat(6).slice(0, 21)}.Gx4Yz9.${FILLER.slice(0, 30)}`, 'discord'],
  [`https://discord.com/api/webhooks/123456789012345678/${FILLER.repeat(2).slice(0, 68)}`, 'discord'],
  [`AAAAa1B2c3D:APA91b${FILLER.repeat(4).slice(0, 134)}`, 'gcp'],
  [`ntn_${'a1B2'.repeat(11)}`, 'notion'],
  [`AGE-SECRET-KEY-1${'Q9X8'.repeat(14)}QP`, 'age'],
  [`xai-${FILLER.repeat(2)}`, 'api-key'],
  [`pplx-${'a1B2'.repeat(12)}`, 'api-key'],
  [`Authorization: Bearer ${FILLER}`, 'api-key'],
  ['jdbc:mysql://db/app?user=root&password=Hk82jd7Qw', 'database-connection-string'],
  ['Server=tcp:db.example.net;User ID=sa;Password=Hk82jd7Qw;Encrypt=true', 'database-connection-string'],
  [`{"auths":{"registry.example":{"auth":"${base64(`me:${FILLER}`)}"}}}`, 'docker'],
  ['machine api.example login me password Hk82jd7Qw', 'netrc'],
  [`twilioAuthToken: ${'0a1b2c3d'.repeat(4)}`, 'twilio'],
  [`ATATT3xFfGF0${FILLER.repeat(4)}`, 'atlassian'],
  [`NRAK-${'Q9X8Y7'.repeat(5).slice(0, 27)}`, 'newrelic'],
  [`pscale_tkn_${FILLER}`, 'planetscale'],
  [`pul-${'0a1b2c3d'.repeat(5)}`, 'pulumi'],
  [`sntrys_eyJ${FILLER.repeat(2)}`, 'sentry'],
  [`secret_key_base: ${'0a1b2c3d'.repeat(16)}`, 'secret-key'],
  [`define('AUTH_KEY', '${FILLER.repeat(2).slice(0, 64)}');`, 'secret-key'],
  ['GEMINI_API_KEY=AQ.Ab8RN6KsZq81Lm3x0PqT7vYw2ZbC4dE5f', 'api-key'],
  ['  api_key: 8f3kd92ma01lz7qpw6x5v4b3', 'api-key'],
  ['X-Api-Key: 9f8e7d6c5b4a39281706f5e4d3c2b1a0', 'api-key'],
  ['"accessToken": "a9F3.k2L8m4N7p1Q6r5S0t-z3y7X1"', 'api-key'],
  ['PrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=', 'wireguard'],
  ['WIREGUARD_PRIVATE_KEY=yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=', 'wireguard'],
  [`KEY=LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0t${'Q2d4'.repeat(20)}`, 'privatekey-base64'],
  ['Authorization: Basic dXNlcjpIazgyamQ3UXc=', 'basicauth'],
  ['curl -u admin:Xq7pQ2z9Wm4 https://example.com/', 'basicauth'],
  [`CLOUDFLARE_API_TOKEN=${'w31IBPaqsrXJ8TxF6x'.repeat(2)}`, 'api-key'],
];

const HARMLESS: readonly string[] = [
  '-----BEGIN PUBLIC KEY-----',
  'const key_name = 1',
  'the sk-loading class',
  'sk-loading-circle-animation-wrapper',
  'sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'key_value_pairs_are_stored_in_this_table',
  'key_idx_users_created_at_desc_v2_unique',
  'Authorization: Bearer YOUR_API_KEY_GOES_HERE',
  `//packages.example.com/:_authToken=\${NPM_TOKEN}`,
  'api_key: string;',
  'AWS_SECRET_ACCESS_KEY=your-secret-here',
  'const key = process.env.AWS_SECRET_ACCESS_KEY;',
  'postgres://localhost:5432/app',
  'postgresql://user:<password>@host/db',
  'postgres://user:$PASSWORD@db/app',
  `postgres://user:\${PASSWORD}@db/app`,
  'a token such as eyJhbGciOi…',
  'https://example.org/a:b@c',
  'Microsoft.Extensions.DependencyInjection.Abstractions',
  'https://discord.com/api/webhooks/ID/TOKEN',
  'aws_access_key_id = AKIAIOSFODNN7EXAMPLE',
  'DATABASE_URL=postgres://postgres:postgres@localhost:5432/test',
  'jdbc:mysql://db/app?user=root&password=<password>',
  'Server=db;User ID=sa;Password=your_password;',
  'type Server={a:1};if(b)c.host=location.host;d=e?password=f',
  '"auth": "none"',
  'machine api.example login me password secret',
  `define('AUTH_KEY', 'put your unique phrase here');`,
  'CLOUDFLARE_API_TOKEN=your-token-goes-here-and-has-forty-letters',
  `BUILD_API_KEY=\${{ secrets.BUILD_API_KEY }}`,
  'the line is SOME_API_TOKEN=process.env.SOME_API_TOKEN',
  '<task-notification> model: claude-sonnet-4-5-20250929 "application/json"',
  'sk_bulk sk_async MAX_TOKENS=4096 CREDENTIAL_PATH=/etc/creds AUTH_HOST=example.com',
  'commit 3f786850e387550fdab836ed7e6dc881de23001b id: 550e8400-e29b-41d4-a716-446655440000',
  'cache_key: build-linux-x64-node20-9a8b7c6d5e4f',
  'session_key = user_session_2024_01_15_id42',
  'accessToken: "{{ .Values.token1.value2 }}"',
  'curl -u $USER:$PASS1x2 https://example.com/',
  `KEY=LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t${'Q2d4'.repeat(20)}`,
];

describe('secrets in a text', () => {
  for (const [text, kind] of SECRETS) {
    it(`are of kind ${kind} in “${text.slice(0, 30)}…”`, async () => {
      assert.deepEqual(await findSecrets(`first line\n${text}\n`), [kind]);
    });
  }

  it('are listed by kind, each once and in alphabetical order', async () => {
    const text = SECRETS.map(([each]) => `${each}\n${each}`).join('\n');
    assert.deepEqual(await findSecrets(text), [...new Set(SECRETS.map(([, kind]) => kind))].sort());
  });

  it('are found after a comment that disables linters', async () => {
    assert.deepEqual(await findSecrets(`// secretlint-disable\nhttps://someone:Hk82jd7Qw@git.example.com/`), [
      'basicauth',
    ]);
  });

  for (const text of HARMLESS) {
    it(`are not found in “${text}”`, async () => assert.deepEqual(await findSecrets(text), []));
  }

  it('are not found in password placeholders', async () => {
    for (const password of ['$PASSWORD', `\${PASSWORD}`, '{password}', '%s']) {
      assert.deepEqual(await findSecrets(`amqp://user:${password}@host/`), [], password);
    }
  });
});
