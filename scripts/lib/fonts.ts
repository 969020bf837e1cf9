import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder } from './cache.ts';
import { fetchPackage } from './npmPackage.ts';
import { step } from './progress.ts';

const PACKAGES = [
  ['inter', '@expo-google-fonts/inter@0.4.2'],
  ['jetbrains-mono', '@expo-google-fonts/jetbrains-mono@0.4.1'],
  // Only for Chinese letters, which the others lack: one weight, 4 MB, where usual ones take 50.
  ['zcool-xiaowei', '@expo-google-fonts/zcool-xiaowei@0.4.1'],
] as const;

const CONFIGURATION = 'fonts.conf';
const FAMILIES = {
  'sans-serif': 'Inter',
  'system-ui': 'Inter',
  serif: 'Inter',
  monospace: 'JetBrains Mono',
};

/**
 * A font configuration with the same fonts on every machine, for the browser that brings none: a fresh Linux server
 * has no fonts at all, and pictures should not change with those that are there.
 *
 * @returns the file that the environment variable `FONTCONFIG_FILE` names.
 */
export async function installFonts(): Promise<string> {
  const recipe = configuration() + PACKAGES.map(([, specifier]) => specifier).join(' ');
  const folder = await cachedFolder('fonts', recipe, async (draft) => {
    await step('Getting fonts for the browser (once)', async () => {
      for (const [name, specifier] of PACKAGES) await fetchPackage(specifier, draft, name);
    });
    await writeFile(join(draft, CONFIGURATION), configuration());
  });
  return join(folder, CONFIGURATION);
}

/** Folders are named in relation to the file itself. */
function configuration(): string {
  const aliases = Object.entries(FAMILIES).map(
    ([family, font]) =>
      `  <alias binding="same"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`,
  );
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...PACKAGES.map(([name]) => `  <dir prefix="relative">${name}</dir>`),
    '  <cachedir prefix="xdg">fontconfig</cachedir>',
    ...aliases,
    '</fontconfig>',
    '',
  ].join('\n');
}
