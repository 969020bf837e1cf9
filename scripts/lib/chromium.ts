import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { bundledChromium, hasBundledChromium } from './bundledChromium.ts';
import { installFonts } from './fonts.ts';
import { packageFolder } from './paths.ts';
import { runNode } from './processes.ts';
import { step } from './progress.ts';

interface FoundBrowser {
  /** Describes where it comes from, for messages. */
  readonly source: string;
  readonly executable: string;
  readonly env?: Readonly<Record<string, string>>;
}

const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

/**
 * For tests, which run most code only a few times: compiling it for the third time takes more than it saves, a tenth of
 * the CPU of a suite of panels.
 */
export const FOR_TESTS = ['--js-flags=--no-opt'];

const NAMES = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge'];
const MAC_APPLICATIONS = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
const WINDOWS_PROGRAMS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];

/**
 * Starts a headless Chromium. `CHROME_PATH` names its executable; the value `bundled` selects the one from the
 * development dependencies. Without `CHROME_PATH`, uses the one on this machine, or downloads one.
 */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const { source, executable, env } = await findBrowser();
  const args = [...ARGUMENTS, ...more];
  const browser = await chromium.launch({ executablePath: executable, args, env: await environment(env) });
  console.log(`Browser: Chromium ${browser.version()}, ${source}`);
  return browser;
}

async function findBrowser(): Promise<FoundBrowser> {
  const named = process.env.CHROME_PATH ?? '';
  if (named !== '' && named !== 'bundled') return { source: 'named by CHROME_PATH', executable: named };
  if (named === '') {
    const installed = candidates().find((path) => existsSync(path));
    if (installed !== undefined) return { source: 'installed on this machine', executable: installed };
    if (existsSync(chromium.executablePath())) return playwrightsOwn();
  }
  if (hasBundledChromium()) return { source: 'from @sparticuz/chromium', ...(await bundledChromium()) };
  await step('Getting a browser (once)', () =>
    runNode([join(packageFolder('playwright-core'), 'cli.js'), 'install', 'chromium'], { show: true }),
  );
  return playwrightsOwn();
}

function playwrightsOwn(): FoundBrowser {
  return { source: "Playwright's", executable: chromium.executablePath() };
}

async function environment(additions: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const fonts = process.platform === 'linux' ? { FONTCONFIG_FILE: await installFonts() } : {};
  return { ...Object.fromEntries(inherited), ...fonts, ...additions };
}

function candidates(): string[] {
  if (process.platform === 'darwin') {
    return ['/Applications', join(homedir(), 'Applications')].flatMap((folder) =>
      MAC_APPLICATIONS.map((name) => join(folder, `${name}.app`, 'Contents', 'MacOS', name)),
    );
  }
  if (process.platform === 'win32') {
    const { ProgramFiles, LOCALAPPDATA, 'ProgramFiles(x86)': ProgramFiles86 } = process.env;
    return [ProgramFiles, ProgramFiles86, LOCALAPPDATA]
      .filter((folder) => folder !== undefined)
      .flatMap((folder) => WINDOWS_PROGRAMS.map((program) => join(folder, program)));
  }
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
}
