import assert from 'node:assert/strict';
import { isKeyName } from '../../../src/secrets/keyNames.ts';

describe('names of files with secrets', () => {
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
    '.KUBE/config',
    '.env.',
    'src/.env::$DATA',
    'id_rsa ',
  ]) {
    it(`include ${path}`, () => assert.ok(isKeyName(path)));
  }

  for (const path of ['.env.example', 'src/environment.ts', 'id_rsa.pub', 'keys.ts', 'monkey.ts', 'README.md']) {
    it(`do not include ${path}`, () => assert.ok(!isKeyName(path)));
  }

  it('include the files in which deployment tools keep secrets', () => {
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
