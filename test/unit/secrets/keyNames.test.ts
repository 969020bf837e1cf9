import assert from 'node:assert/strict';
import { isKeyName } from '../../../src/secrets/keyNames.ts';

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

  it('are what keeps the secrets of tools for deployment', () => {
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
