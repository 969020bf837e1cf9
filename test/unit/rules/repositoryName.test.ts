import assert from 'node:assert/strict';
import { repositoryName } from '../../../src/rules/repositoryName.ts';

describe('the name of a repository', () => {
  for (const [remote, name] of [
    ['https://git.example.com/orchard/shop.git', 'orchard/shop'],
    ['https://mara:secret-token@git.example.com/orchard/shop', 'orchard/shop'],
    ['https://git.example.com/orchard/shop.git/?token=secret', 'orchard/shop'],
    ['git@git.example.com:orchard/shop.git', 'orchard/shop'],
    ['git.example.com:orchard/shop', 'orchard/shop'],
    ['ssh://git@git.example.com:2222/orchard/shop.git', 'orchard/shop'],
    ['git@git.example.com:orchard/fruit/shop.git', 'orchard/fruit/shop'],
    ['https://dev.example.com/orchard/fruit/_git/shop', 'orchard/fruit/shop'],
    ['https://git.example.com/scm/orchard/shop.git', 'orchard/shop'],
  ] as const) {
    it(`is ${name} for ${remote}`, () => assert.equal(repositoryName(remote), name));
  }

  for (const remote of [
    '/home/user/projects/shop.git',
    '../shop',
    'C:\\projects\\shop',
    'C:/projects/shop.git',
    'file:///home/user/projects/shop',
    'https://git.example.com',
    '',
  ]) {
    it(`does not follow from ${remote || 'an empty text'}`, () => assert.equal(repositoryName(remote), undefined));
  }
});
