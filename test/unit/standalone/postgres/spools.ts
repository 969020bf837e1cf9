import { type TemporaryFolder, temporaryFolder } from '../../../../scripts/lib/temporaryFolder.ts';

const folders: TemporaryFolder[] = [];

/** Returns a new, empty folder for a spool. */
export async function spoolFolder(): Promise<string> {
  const folder = await temporaryFolder();
  folders.push(folder);
  return folder.path;
}

export async function removeSpools(): Promise<void> {
  await Promise.all(folders.splice(0).map((folder) => folder.remove()));
}
