import Anthropic from '@anthropic-ai/sdk';
import Previous from 'anthropic-sdk-previous';

export interface AnthropicSdk {
  readonly name: string;
  readonly Sdk: typeof Anthropic;
  /** The version of the messages format that it sends. */
  readonly version: string;
}

/** The majors of the SDK that people use. The types of the earlier one are those of the current one, but for what is gone. */
export const ANTHROPIC_SDKS: readonly AnthropicSdk[] = [
  { name: 'the Anthropic SDK', Sdk: Anthropic, version: '2026-10-21' },
  { name: 'the previous Anthropic SDK', Sdk: Previous as unknown as typeof Anthropic, version: '2023-06-01' },
];
