import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { ROOT } from './paths.ts';

export type Settings = Readonly<Record<string, unknown>>;

/** Settings that make every run alike and keep it off the network. */
const COMMON: Settings = {
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': 'off',
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false,
  // Otherwise, the extension host looks through all processes every two seconds for ports that could be forwarded.
  'remote.autoForwardPortsSource': 'output',
  'telemetry.telemetryLevel': 'off',
  'update.showReleaseNotes': false,
  'workbench.editor.useModal': 'off',
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

const Manifest = z.object({
  contributes: z.object({
    configuration: z.array(z.object({ properties: z.record(z.string(), z.object({ scope: z.optional(z.string()) })) })),
  }),
});

/** A served editor has two settings files: one for the user, and one for the machine on which the server runs. */
type SettingsFile = 'User' | 'Machine';

/**
 * Writes the settings of a new profile, each to the file from which a served editor reads it. A setting of machine
 * scope in the user's file would only be used until the extension's manifest is read.
 */
export async function writeSettings(userFolder: string, settings: Settings): Promise<void> {
  const machine = await machineSettings();
  const all = Object.entries({ ...COMMON, ...settings });
  await write(userFolder, 'User', Object.fromEntries(all.filter(([name]) => !machine.has(name))));
  await write(userFolder, 'Machine', Object.fromEntries(all.filter(([name]) => machine.has(name))));
}

export async function readSettings(userFolder: string, file: SettingsFile): Promise<Settings> {
  return z.parse(z.record(z.string(), z.unknown()), JSON.parse(await readFile(pathOf(userFolder, file), 'utf8')));
}

/** Returns the names of settings with machine scope, which a workspace cannot set. */
async function machineSettings(): Promise<ReadonlySet<string>> {
  const manifest = z.parse(Manifest, JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')));
  const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
  const ours = settings.filter(([, { scope }]) => scope?.startsWith('machine')).map(([name]) => name);
  return new Set(['remote.autoForwardPorts', 'remote.autoForwardPortsSource', ...ours]);
}

async function write(userFolder: string, file: SettingsFile, settings: Settings): Promise<void> {
  const path = pathOf(userFolder, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(settings, undefined, 2));
}

function pathOf(userFolder: string, file: SettingsFile): string {
  return join(userFolder, file, 'settings.json');
}
