import type { KeyPageMessage } from '../../pages/localKey/keyMessages.ts';
import type { KeyPageHostMessage } from '../../pages/localKey/protocol.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startLocalKey } from './keyPage.tsx';

startLocalKey(openPage(), webviewTransport<KeyPageHostMessage, KeyPageMessage, undefined>());
