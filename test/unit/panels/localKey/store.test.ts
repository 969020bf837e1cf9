import assert from 'node:assert/strict';
import type { KeyPageMessage } from '../../../../src/pages/localKey/keyMessages.ts';
import type { KeyForm, KeyPageHostMessage } from '../../../../src/pages/localKey/protocol.ts';
import { KeyStore } from '../../../../src/panels/localKey/store.ts';
import { ScriptedTransport } from '../../../gallery/shared/scriptedTransport.ts';

describe('the fields of a local key', () => {
  const open = () => {
    const host = new ScriptedTransport<KeyPageHostMessage, KeyPageMessage>(() => undefined);
    const store = new KeyStore(host);
    store.start();
    const edited: KeyForm = { ...store.form.value, name: 'ci' };
    host.send({ type: 'edit', id: 'k1', form: edited, hiddenBudgets: [], focus: 'name' });
    /** Answers a message that changes the key, as the host does when it has saved it. */
    const save = (at: number) => {
      const sent = host.posted.filter((message) => message.type === 'change')[at];
      assert.ok(sent);
      host.send({ type: 'changed', name: sent.form.name, form: structuredClone(sent.form) });
    };
    return { store, save };
  };

  it('are saved once the host has saved those that were sent', () => {
    const { store, save } = open();
    store.change({ name: 'ci two' });
    store.submit();
    assert.ok(store.isChanged.value);
    save(0);
    assert.ok(!store.isChanged.value);
  });

  it('are not saved by the answer to those that were sent before them', () => {
    const { store, save } = open();
    store.change({ name: 'ci two' });
    store.submit();
    store.change({ name: 'ci three' });
    store.submit();
    save(0);
    assert.ok(store.isChanged.value);
    save(1);
    assert.ok(!store.isChanged.value);
  });
});
