import { type Gallery, startGallery } from '../../../scripts/lib/galleryServer.ts';

let started: Promise<Gallery> | undefined;

/** Returns one gallery for the whole run, because it is built from the panels' sources. `mochaHooks` stops it. */
export function sharedGallery(): Promise<Gallery> {
  started ??= startGallery();
  return started;
}

export async function stopSharedGallery(): Promise<void> {
  const gallery = await started;
  started = undefined;
  await gallery?.stop();
}
