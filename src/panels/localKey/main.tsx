import type { KeyPageMessage } from '../../pages/localKey/keyMessages.ts';
import type { KeyPageHostMessage } from '../../pages/localKey/protocol.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startLocalKey } from './startLocalKey.tsx';

startLocalKey(
  openPage(),
  webviewTransport<KeyPageHostMessage, KeyPageMessage, undefined>({
    state: { state: 'object' },
    problems: { problems: 'object' },
    created: { id: 'string', name: 'string', secret: 'string' },
    changed: { name: 'string' },
  }),
);
