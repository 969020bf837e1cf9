import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder } from './cache.ts';
import { fetchPackage } from './npmPackage.ts';
import { step } from './progress.ts';

const PACKAGES = [
  ['inter', '@expo-google-fonts/inter@0.4.2'],
  ['jetbrains-mono', '@expo-google-fonts/jetbrains-mono@0.4.1'],
  // Only for Chinese characters, which the others lack: one weight of 4 MB, because usual fonts have 50 MB.
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
 * Installs a font configuration with the same fonts on every machine, for the browser that has none: a fresh Linux
 * server has no fonts, and pictures must not depend on the installed ones.
 *
 * @returns the file for the environment variable `FONTCONFIG_FILE`.
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

/** Folders are relative to the configuration file. */
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
