/** What can be determined about a command line before it runs. When in doubt, the user is asked. */
import { firstHidden, nameOfCharacter } from '../display/hiddenCharacters.ts';

/**
 * Characters with which a shell starts another command, puts its output into this one, or repeats an earlier one. In fish,
 * zsh, and PowerShell, parentheses do. Braces and variables become other words: `{--output=x,}` is an option.
 */
const COMBINES = /[;&|<>`\n\r()!{}$]/;
/** A word that is quoted as a whole, or not at all. A word in pieces, such as `a"b"`, is another one for the shell. */
const WHOLE_WORD = /^(?:"([^"\\]*)"|'([^']*)'|([^"'\\]+))$/;

/** The words of a simple command, or undefined if it combines several or is quoted in a way that is not understood. */
function wordsOf(command: string): readonly string[] | undefined {
  if (COMBINES.test(command) || hiddenCharacter(command) !== undefined) return undefined;
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^ \t])+/g) ?? [];
  const matches = words.map((word) => WHOLE_WORD.exec(word));
  if (matches.includes(null)) return undefined;
  return matches.map((match) => match?.[1] ?? match?.[2] ?? match?.[3] ?? '');
}

/** A space that is a letter for the shell. */
const OTHER_SPACE = /(?! )\p{Zs}/u;

/**
 * The name of a character that makes the shown command differ from the one that runs: it is invisible, looks like a
 * space, or is a key for the terminal.
 */
export function hiddenCharacter(command: string): string | undefined {
  const found = firstHidden(command) ?? OTHER_SPACE.exec(command)?.[0];
  return found && nameOfCharacter(found);
}

/** Long enough for any indentation, and for any blank lines between the parts of a script. */
const GAP = /[^\S\n]{100}|(?:\n[^\S\n]*){12}/;

/** Whether the command contains so much white space that what follows may be out of sight when it is shown. */
export function hasGap(command: string): boolean {
  return GAP.test(command);
}

const WORD = /"([^"\\]*)"|'([^']*)'|([^\s"']+)/g;

/** Programs whose first argument is a subcommand. */
const WITH_SUBCOMMAND = new Set([
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'npx',
  'git',
  'cargo',
  'go',
  'make',
  'dotnet',
  'gradle',
  'mvn',
]);
/** Subcommands of {@link WITH_SUBCOMMAND} that take the name of a script. */
const WITH_SCRIPT = new Set(['run', 'exec', 'run-script']);
/**
 * Programs that run, write, send, or delete whatever their arguments name, or change what later commands mean, so no
 * pattern for them means anything.
 */
const UNBOUNDED = new Set(
  (
    'sh bash zsh fish dash ksh csh tcsh nu busybox cmd powershell pwsh wsl env sudo doas su pkexec runuser xargs eval exec command builtin source ' +
    'nohup time timeout watch parallel nice ionice setsid stdbuf script flock chroot unshare strace start open xdg-open at batch crontab ' +
    'node nodejs tsx ts-node bunx pnpx uvx uv pipx python py ruby perl php deno lua java jshell groovy scala swift julia rscript osascript cscript ' +
    'wscript mshta rundll tclsh expect awk gawk mawk sed find fd ed ex vi vim nvim emacs less more man gdb lldb ssh scp sftp rsync curl wget nc ncat ' +
    'socat npx docker podman kubectl rm rmdir del rd mv move cp copy dd tee ln chmod chown tar unzip install truncate shred unlink sort ' +
    'cd pushd popd alias unalias export set unset declare typeset local readonly enable hash bind trap function'
  ).split(' '),
);
/** Subcommands that run or fetch their arguments, or change the behavior of others. */
const UNBOUNDED_SUBCOMMANDS = new Set(
  'exec x dlx create init config set alias bisect rebase submodule filter-branch difftool mergetool clone remote push fetch pull grep'.split(
    ' ',
  ),
);
/** Options that name a program to run, a file to write, another folder, or other settings. */
const UNBOUNDED_OPTIONS = (
  'output exec toolexec ext-diff config prefix cwd dir directory script-shell shell node-options eval file makefile init-script pre ' +
  'compress-program open-files-in-pager upload-pack manifest-path project-dir settings'
).split(' ');

/**
 * The pattern that covers a command with any arguments, such as `npm test*`, or undefined if it cannot be allowed in
 * advance.
 */
export function patternOf(command: string): string | undefined {
  const words = wordsOf(command);
  const [program = '', subcommand = '', script = '', ...rest] = words ?? [];
  if (words === undefined || !/^[\w./:@+-]+$/.test(program) || isUnbounded(program)) return undefined;
  if ([subcommand, script, ...rest].some(isUnboundedArgument)) return undefined;
  if (!WITH_SUBCOMMAND.has(program)) return `${program}*`;
  if (!/^[\w:.-]+$/.test(subcommand) || subcommand.startsWith('-') || UNBOUNDED_SUBCOMMANDS.has(subcommand)) {
    return undefined;
  }
  if (!WITH_SCRIPT.has(subcommand)) return `${program} ${subcommand}*`;
  return /^\w[\w:.-]*$/.test(script) ? `${program} ${subcommand} ${script}*` : undefined;
}

/** The name is empty for `.`, which runs a file. */
function isUnbounded(program: string): boolean {
  const name = nameOf(program);
  return name === '' || UNBOUNDED.has(name);
}

/**
 * Whether it is such an option, which many programs let be shortened, or sets a variable, as for `make`, or can become
 * the name of a file that looks like an option.
 */
function isUnboundedArgument(word: string): boolean {
  if (/^\w+=|^[*?[]/.test(word)) return true;
  // The shell of Windows removes this character, which escapes the next one.
  const plain = word.replaceAll('^', '');
  // It can follow other letters, and its value can be attached, as in `-o../x`.
  if (/^-\w*[xcCfo](?:\W|$)/.test(plain)) return true;
  const [, name] = /^--?([a-z][a-z-]+)(?:=|$)/i.exec(plain) ?? [];
  return name !== undefined && UNBOUNDED_OPTIONS.some((option) => option.startsWith(name.toLowerCase()));
}

/** The name of a program without its folder, its version, and the ending of Windows. */
function nameOf(program: string): string {
  const file = program.replace(/^.*[\\/]/, '').toLowerCase();
  return file.replace(/\.(?:exe|cmd|bat|ps1)$/, '').replace(/[\d.]+$/, '');
}

/** Whether a pattern of {@link patternOf} covers the command. It never covers a second command after the first. */
export function isCovered(command: string, pattern: string): boolean {
  return patternOf(command) === pattern;
}

const DELETES = new Set(['rm', 'rmdir', 'del', 'rd', 'shred', 'unlink']);

/**
 * The path outside the working folder that a command would delete, if it is plain to see. Such a command is denied by
 * rule.
 */
export function deletedOutside(command: string): string | undefined {
  for (const part of command.split(/[;&|\n\r]+/)) {
    const words = [...part.trim().matchAll(WORD)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
    const program = words.findIndex((word) => word !== 'sudo' && !/^\w+=/.test(word));
    if (!DELETES.has(nameOf(words[program] ?? ''))) continue;
    const outside = words.slice(program + 1).find((word) => isOutside(word));
    if (outside !== undefined) return outside;
  }
  return undefined;
}

/** A relative path can only leave the folder through `..`. An absolute one is outside unless it is known to be inside. */
function isOutside(path: string): boolean {
  if (path.startsWith('-')) return false;
  if (/^(?:\/|~|\$|[A-Za-z]:[\\/])/.test(path)) return true;
  let depth = 0;
  for (const part of path.split(/[\\/]/)) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}
