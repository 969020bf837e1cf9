import { writeFile } from 'node:fs/promises';
import type { BrowserContext } from 'playwright-core';

/** Encoding quality. Text stays sharp, and a picture takes a third of the size of a PNG. */
const QUALITY = 0.75;

/** Writes a screenshot as WebP. The browser that took it encodes it, on an empty page. */
export async function writeWebp(context: BrowserContext, png: Buffer, path: string): Promise<void> {
  const page = await context.newPage();
  try {
    const webp = await page.evaluate(encode, { png: png.toString('base64'), quality: QUALITY });
    await writeFile(path, Buffer.from(webp, 'base64'));
  } finally {
    await page.close();
  }
}

/** Runs in the page. Input and output are base64. */
async function encode({ png, quality }: { png: string; quality: number }): Promise<string> {
  const bytes = Uint8Array.from(atob(png), (char) => char.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
  const encoded = new Uint8Array(await blob.arrayBuffer());
  return btoa(encoded.reduce((text, byte) => text + String.fromCharCode(byte), ''));
}
