import { type Parameters, readParameters } from '../../../chat/conversation/parameters.ts';
import type { Settings } from '../../settings/settings.ts';

/**
 * Parameters that the user has saved under a name. They are in the settings, where they can also be written by hand.
 */
export class Presets {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Returns undefined if the preset does not exist or is invalid. */
  find(name: string): Parameters | undefined {
    return readParameters(this.#settings.presets[name]);
  }

  /** Saves the parameters under a name, and replaces an existing preset of that name. */
  async save(name: string, parameters: Parameters): Promise<void> {
    await this.#settings.set('chat.presets', { ...this.#settings.presets, [name]: parameters });
  }

  async remove(name: string): Promise<void> {
    const { [name]: _, ...others } = this.#settings.presets;
    await this.#settings.set('chat.presets', others);
  }
}
