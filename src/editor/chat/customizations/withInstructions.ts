import type { RequestSettings } from '../../../chat/request.ts';

/** The instructions of a run stay those that it began with, unless the chat sends none. */
export function withInstructions(settings: RequestSettings, instructions: string | undefined): RequestSettings {
  if (settings.instructions === undefined || instructions === undefined) return settings;
  return { ...settings, instructions };
}
