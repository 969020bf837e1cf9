/** What the reader of structures has to know about a language: its comments and strings, and what makes a block. */

export interface Syntax {
  /** How a comment begins that ends with its line. */
  readonly lineComments: readonly string[];
  /** Whether comments are between slashes and asterisks. */
  readonly hasBlockComments: boolean;
  /** Whether single quotes also begin what is no text, as lifetimes in Rust do. */
  readonly hasLifetimes: boolean;
  /** Whether functions of one scope may have the same name. */
  readonly hasOverloads: boolean;
  /** Whether the file consists of parts in other languages, between tags at the beginning of the line. */
  readonly hasParts?: boolean;
  /** `indent`: blocks are indented; `sections`: they begin with headings; `list`: items with a dash are indented by it. */
  readonly blocks: 'brackets' | 'indent' | 'sections' | 'list';
}

const SLASHES: Syntax = {
  lineComments: ['//'],
  hasBlockComments: true,
  hasLifetimes: false,
  hasOverloads: false,
  blocks: 'brackets',
};
const OVERLOADS: Syntax = { ...SLASHES, hasOverloads: true };
const HASHES: Syntax = {
  lineComments: ['#'],
  hasBlockComments: false,
  hasLifetimes: false,
  hasOverloads: false,
  blocks: 'indent',
};
const DASHES: Syntax = { ...HASHES, lineComments: ['--'], hasBlockComments: true };
const TAGS: Syntax = { ...HASHES, lineComments: [], hasParts: true };
const RUST: Syntax = { ...SLASHES, hasLifetimes: true };
const PHP: Syntax = { ...SLASHES, lineComments: ['//', '#'] };
const YAML: Syntax = { ...HASHES, blocks: 'list' };
const MARKDOWN: Syntax = { ...TAGS, hasParts: false, blocks: 'sections' };
const TOML: Syntax = { ...HASHES, blocks: 'sections' };

const BY_EXTENSION: Readonly<Record<string, Syntax>> = Object.fromEntries(
  (
    [
      ['ts tsx mts cts js jsx mjs cjs json jsonc json5 go dart css scss less proto zig glsl', SLASHES],
      ['java kt kts scala groovy gradle swift c h cc cpp cxx hpp hh cs sol', OVERLOADS],
      ['rs', RUST],
      ['php', PHP],
      ['py pyi rb rake sh bash zsh fish pl r ex exs jl nim ps1 psm1 dockerfile makefile mk cmake tf', HASHES],
      ['sql lua hs elm', DASHES],
      ['html htm xml svg vue svelte xaml', TAGS],
      ['yml yaml', YAML],
      ['md mdx markdown rst', MARKDOWN],
      ['toml ini cfg conf properties env', TOML],
    ] as const
  ).flatMap(([names, syntax]) => names.split(' ').map((name) => [name, syntax] as const)),
);

export const DECORATOR =
  /^(?:@[\w.]+(?:\([^()]*\)|\(.*\)|\([^)]*)?|#!?\[.*|\[[A-Z]\w*(?:\(.*\))?\]|template\s*<.*>)(?:\s+\/\/.*)?$/;
/** What continues the statement before it. */
export const CHAIN =
  /^(?:\}\s*(?:else|catch|finally)\b|(?:else|elif|elsif|elseif|except|finally|catch|rescue|ensure|then|do|where)\b)/;
export const CONTINUATION = /^[.?:&|+*=,<>)\]}-]/;
/** Words that end a block, or its last tag. */
export const END = /^(?:end|fi|done|esac|endif|endwhile|endforeach|END)\b|^<\/|^[)\]}]/;
/** Directives begin at the margin wherever they are. */
export const PREPROCESSOR = /^#\s*(?:if|ifdef|ifndef|el|else|elif|endif|region|endregion|pragma)\b/;
/** The end of a statement, or a key with its value. */
export const COMPLETE = /[;}]$|^(?:"[^"]+"|'[^']+'):.*,$/;
export const CLOSED = /[)\]}][;,)\]}]*$/;

/** Returns the syntax of a file by its name, or by its text if the name tells nothing. */
export function syntaxOf(path: string | undefined, text: string): Syntax {
  const name = path?.slice(path.lastIndexOf('/') + 1).toLowerCase() ?? '';
  return BY_EXTENSION[name.slice(name.lastIndexOf('.') + 1)] ?? syntaxIn(text);
}

function syntaxIn(text: string): Syntax {
  const has = (pattern: RegExp) => pattern.test(text);
  if (has(/^\s*(?:def|class|if|for|while|with|async def)\b.*:\s*(?:#.*)?$/m) && !has(/[{;]\s*$/m)) return HASHES;
  if (has(/\bfn \w+/) && has(/\blet\b|->|&'|impl\b/)) return RUST;
  if (has(/[{};]\s*$/m)) return SLASHES;
  if (has(/^#{1,6} \S/m) && !has(/^\s*(?:end|fi|done)\b/m)) return MARKDOWN;
  if (has(/^\s*(?:- )?[\w."'-]+:(?: |$)/m)) return YAML;
  return has(/^\s*--/m) ? DASHES : HASHES;
}
