import { AI_SDK_CLIENTS } from './support/aiSdkClients.ts';
import { describeSdk } from './support/sdkCases.ts';

for (const kind of AI_SDK_CLIENTS) describeSdk(kind);
