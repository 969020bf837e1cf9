import { OPENAI_CLIENTS } from './support/openaiClients.ts';
import { describeSdk } from './support/sdkCases.ts';

for (const kind of OPENAI_CLIENTS) describeSdk(kind);
