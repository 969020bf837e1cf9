import { signal } from '@preact/signals';

/** A part of the panel that is loaded on first use, so that the panel's first script stays small. */
export interface Late<Part> {
  /** Undefined until it is loaded. Reading it while rendering starts loading, and renders again afterwards. */
  readonly current: Part | undefined;
}

let loading = 0;

/** Whether the page is incomplete, because a part is being loaded. */
export function isLoading(): boolean {
  return loading > 0;
}

/** A failure, such as a file that an update has removed, reaches the page's own error handler. */
export function late<Part>(load: () => Promise<Part>): Late<Part> {
  const part = signal<Part | undefined>(undefined);
  let isAsked = false;
  const ask = async () => {
    isAsked = true;
    loading += 1;
    try {
      part.value = await load();
    } finally {
      loading -= 1;
    }
  };
  return {
    get current() {
      if (!isAsked) void ask();
      return part.value;
    },
  };
}
