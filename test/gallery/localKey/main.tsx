/** Shows the states of the page in a plain browser, without an editor. `galleryPage.ts` reads the page's address. */

import type { KeyPageMessage } from '../../../src/pages/localKey/keyMessages.ts';
import type { KeyPageHostMessage } from '../../../src/pages/localKey/protocol.ts';
import { startLocalKey } from '../../../src/panels/localKey/keyPage.tsx';
import { openState } from '../shared/openState.tsx';
import { ScriptedTransport } from '../shared/scriptedTransport.ts';
import { STATES } from './states.ts';

await openState(STATES, ({ state, form, problems, isCreated, isExisting, hiddenBudgets = [] }, root) => {
  const host = new ScriptedTransport<KeyPageHostMessage, KeyPageMessage>((message, tell) => {
    if (message.type === 'ready') tell({ type: 'state', state });
    if (message.type === 'create') {
      tell({ type: 'problems', problems: {} });
      tell({ type: 'created', id: 'k1', name: message.form.name, secret: 'key_sample', form: message.form });
    }
    if (message.type === 'change') tell({ type: 'changed', name: message.form.name, form: message.form });
  });
  Object.assign(window, { posted: host.posted, tell: host.send.bind(host) });
  const store = startLocalKey(root, host);
  if (form !== undefined) store.form.value = { ...store.form.value, ...form };
  if (isCreated === true) store.submit();
  if (isExisting === true) host.send({ type: 'edit', id: 'k1', form: store.form.value, hiddenBudgets, focus: 'daily' });
  if (problems !== undefined) {
    for (const field of ['name', 'daily', 'models'] as const) store.leave(field);
    host.send({ type: 'problems', problems });
  }
});
