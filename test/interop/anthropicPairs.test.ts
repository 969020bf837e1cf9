import { ANTHROPIC_CLIENTS } from './support/anthropicClient.ts';
import { describeSdk } from './support/sdkCases.ts';

for (const kind of ANTHROPIC_CLIENTS) describeSdk(kind);
