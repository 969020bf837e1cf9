import type { KeyPageMessage } from '../../pages/localKey/keyMessages.ts';
import type { KeyPageHostMessage } from '../../pages/localKey/protocol.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startLocalKey } from './keyPage.tsx';

startLocalKey(
  openPage(),
  webviewTransport<KeyPageHostMessage, KeyPageMessage, undefined>({
    state: { state: 'object' },
    edit: { id: 'string', form: 'object', hiddenBudgets: 'array', focus: 'string' },
    problems: { problems: 'object' },
    created: { id: 'string', name: 'string', secret: 'string', form: 'object' },
    changed: { name: 'string', form: 'object' },
  }),
);
