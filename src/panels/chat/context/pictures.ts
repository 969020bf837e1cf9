import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** The longer edge of a small picture, in pixels: twice what is drawn, for screens with finer ones. */
const LONGEST = 128;

/**
 * Small pictures of attached images. Each is asked for once, when it is first seen; the image itself, which may be of
 * megabytes, is let go as soon as the small one is made.
 */
export class Pictures {
  readonly #ask: (picture: string) => void;
  readonly #known = new Map<string, Signal<string | undefined>>();

  /** @param ask asks the host, which answers by {@link receive}. */
  constructor(ask: (picture: string) => void) {
    this.#ask = ask;
  }

  /** The address of the small picture; undefined until it is there, and where the image is gone or damaged. */
  small(picture: string): ReadonlySignal<string | undefined> {
    const known = this.#known.get(picture);
    if (known !== undefined) return known;
    const address = signal<string | undefined>(undefined);
    this.#known.set(picture, address);
    this.#ask(picture);
    return address;
  }

  /** `data` is base64. */
  async receive(picture: string, data: string | undefined): Promise<void> {
    const known = this.#known.get(picture);
    if (known === undefined || data === undefined) return;
    known.value = await smallPicture(data);
  }
}

/** @returns undefined for bytes that the browser cannot read: its icon shows instead. */
async function smallPicture(data: string): Promise<string | undefined> {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes])).catch(() => undefined);
  if (image === undefined) return undefined;
  const scale = Math.min(1, LONGEST / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext('2d');
  if (context !== null) context.imageSmoothingQuality = 'high';
  context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  return canvas.toDataURL('image/png');
}
