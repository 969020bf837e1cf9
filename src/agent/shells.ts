/** How a shell is started to run one command line. */
import { basename, win32 } from 'node:path';

/** The program and its arguments that run a command line. */
export interface ShellStart {
  /** The name of the shell for the model, such as `zsh`. */
  readonly name: string;
  readonly program: string;
  readonly arguments: readonly string[];
  /** Whether Windows passes the arguments on without quoting them. */
  readonly isVerbatim: boolean;
}

/** Shells that run the argument of `-c`. */
const POSIX_LIKE = new Set('sh bash zsh fish dash ash ksh mksh csh tcsh nu elvish xonsh'.split(' '));
const POWERSHELLS = new Set(['pwsh', 'powershell', 'pwsh-preview']);

/**
 * A fresh process of the shell gets the command line as one argument, so nothing in it needs to be escaped: there is no
 * history, no prompt, and no earlier command. A program that is not a known shell, such as tmux, is replaced by the shell
 * of the system.
 * @param shell the path of the user's shell.
 */
export function startOf(command: string, shell: string): ShellStart {
  const name = nameOf(shell);
  if (POWERSHELLS.has(name)) {
    const options = ['-NoLogo', '-NonInteractive', '-OutputFormat', 'Text', '-EncodedCommand'];
    return { name, program: shell, arguments: [...options, encoded(command)], isVerbatim: false };
  }
  if (POSIX_LIKE.has(name)) return { name, program: shell, arguments: ['-c', command], isVerbatim: false };
  if (process.platform !== 'win32')
    return { name: 'sh', program: '/bin/sh', arguments: ['-c', command], isVerbatim: false };
  const program = name === 'cmd' ? shell : (process.env.ComSpec ?? 'cmd.exe');
  return { name: 'cmd', program, arguments: ['/d', '/s', '/c', `"${command}"`], isVerbatim: true };
}

function nameOf(shell: string): string {
  const file = shell.includes('\\') ? win32.basename(shell) : basename(shell);
  return file.toLowerCase().replace(/\.exe$/, '');
}

/**
 * PowerShell decodes it without reading quotes. It would end with 0 or 1 only, so the exit code of the last program is
 * passed on. Its progress bars would be part of the output as XML.
 */
function encoded(command: string): string {
  const script = [
    "$ProgressPreference = 'SilentlyContinue'",
    '[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)',
    '$global:LASTEXITCODE = 0',
    command,
    'if (-not $? -and $LASTEXITCODE -eq 0) { exit 1 }',
    'exit $LASTEXITCODE',
  ].join('\n');
  return Buffer.from(script, 'utf16le').toString('base64');
}
