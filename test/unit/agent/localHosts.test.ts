import assert from 'node:assert/strict';
import { LocalHosts } from '../../../src/agent/localHosts.ts';

describe('a public name of a local address, in a call of the agent', () => {
  const page = new URL('https://page.example/a');

  it('is refused at first, and asked for with its address from then on', async () => {
    const hosts = new LocalHosts();
    assert.equal(hosts.subjectOf(page), 'page.example');
    await assert.rejects(hosts.allowing(page)(page, '10.0.0.1'), /page\.example is 10\.0\.0\.1/);
    assert.equal(hosts.subjectOf(page), 'https://page.example (10.0.0.1)');
    assert.equal(await hosts.allowing(page)(page, '10.0.0.1'), true);
  });

  it('is refused again with another address', async () => {
    const hosts = new LocalHosts();
    await assert.rejects(hosts.allowing(page)(page, '10.0.0.1'));
    await assert.rejects(hosts.allowing(page)(page, '10.0.0.2'), /10\.0\.0\.2/);
    assert.equal(hosts.subjectOf(page), 'https://page.example (10.0.0.2)');
  });

  it('is refused in a call for which the user was asked before the address was known', async () => {
    const hosts = new LocalHosts();
    const [first, second] = [hosts.allowing(page), hosts.allowing(page)];
    await assert.rejects(first(page, '10.0.0.1'));
    await assert.rejects(second(page, '10.0.0.1'));
  });

  it('has its own question for each address and port, like a local name', async () => {
    const hosts = new LocalHosts();
    await assert.rejects(hosts.allowing(page)(page, '10.0.0.1'));
    assert.equal(hosts.subjectOf(new URL('https://page.example:8443/')), 'https://page.example:8443 (10.0.0.1)');
    assert.equal(hosts.subjectOf(new URL('http://router/')), 'http://router');
  });
});
