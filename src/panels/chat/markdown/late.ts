import { signal } from '@preact/signals';

/** A part of the panel that is loaded on first use. */
export interface Late<Part> {
  /** Undefined until it is loaded. Reading it while rendering starts loading, and renders again afterwards. */
  readonly current: Part | undefined;
}

export function late<Part>(load: () => Promise<Part>): Late<Part> {
  const part = signal<Part | undefined>(undefined);
  let isAsked = false;
  const ask = async () => {
    isAsked = true;
    part.value = await load();
  };
  return {
    get current() {
      if (!isAsked) void ask();
      return part.value;
    },
  };
}
