import type { Settings } from '../../settings/settings.ts';
import { type Parameters, readParameters } from './parameters.ts';

/** Parameters that the person has saved under a name. They are in the settings, where they can be written by hand too. */
export class Presets {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** @returns undefined when there is no such preset, or none that can be read. */
  find(name: string): Parameters | undefined {
    return readParameters(this.#settings.presets[name]);
  }

  /** Saves these under a name, in the place of what had it. */
  async save(name: string, parameters: Parameters): Promise<void> {
    await this.#settings.setPresets({ ...this.#settings.presets, [name]: parameters });
  }

  async remove(name: string): Promise<void> {
    const { [name]: _, ...others } = this.#settings.presets;
    await this.#settings.setPresets(others);
  }
}
