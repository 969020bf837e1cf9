/** What identifies an item of a text, such as the name of a function, so that another version of it is recognized. */

const KEYWORDS = new Set(
  'if else for foreach while until switch match catch try do return throw await yield new delete typeof in of case when with using lock synchronized super this assert elif unless select defer go not and or except finally then unsafe sizeof'.split(
    ' ',
  ),
);

const TYPE =
  /\b(class|interface|struct|enum|trait|namespace|module|record|object|protocol|extension|union|mod|package|contract|service|message|actor)\s+(?!=)([\w$.:@/'"-]+)/;
const IMPL = /^(?:unsafe\s+)?impl\b(.*?)\{?\s*$/;
const ALIAS = /^(?:export\s+)?(?:declare\s+)?type\s+([\w$]+)/;
const FUNCTION = /\b(?:function\*?|def|fn|func|fun|sub|proc|defp|defmacro)\s+(\([^)]*\)\s*)?([\w$.~]+[?!]?)/;
const VARIABLE =
  /^(?:(?:export|default|declare|public|private|protected|internal|static|final|readonly|pub|pub\([^)]*\)|abstract|override|async)\s+)*(?:const|let|var|val|local|my|our)\s+(?:mut\s+)?([\w$@]+)/;
const CALL_WITH_TEXT = /^(?:await\s+)?([\w$]+(?:(?:\.|::|->|\?\.)[\w$]+)*)\(\s*(["'`])(.*?)\2/;
const METHOD = /(?:^|[\s*&.:~])([#~]?[\w$]+|operator\s*[^\s(]+)\s*(?:<[^<>()]*>)?\s*\(/g;
const MEMBER =
  /^(?:(?:export|public|private|protected|internal|static|final|readonly|pub|pub\([^)]*\)|abstract|override|volatile|declare|@\w+)\s+)*("[^"]+"|'[^']+'|[\w$#.'"@-]+)(?:\s*[?!])?(?:\s*(?::=|=>|=(?!=)|:(?=\s|$))|:(?!:))/;
const TYPED_FIELD =
  /^(?:(?:public|private|protected|internal|static|final|readonly|const|virtual|override|volatile)\s+)+[@\w<>[\],.? ]*?[\s>\]]([\w$]+)\s*(?:=|;|\{)/;
const EXPRESSION_BODY =
  /^(?:(?:public|private|protected|internal|static|override|virtual|async)\s+)+[^=]*\)\s*(?:=>|\{.*\}$)/;
const IMPORT =
  /^(?:import|from|use|using|#\s*include|require|require_relative|include|export\s+(?:\*|\{)|@import|@use|package|extern crate)\b/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const SECTION = /^(\[{1,2})([^\]]+)\]{1,2}$/;
/** Keys of a workflow, which are words of languages, too. */
const KEY = /^(?:with|if|for|in|of|on|when|until|select|match|using|new|delete|not):(?:\s|$)/;
const LABEL = /^(?:case\b.*|default\s*:?|when\b.*|.+?\s=>.*)$/;
/** A macro of Rust whose first argument is the name of what it declares. */
const MACRO = /^([\w:]+!)\(\s*(\w+)\s*,/;
/** An arm of a match by its pattern, which may have a condition. */
const ARM = /^([A-Z][\w:]*\s*(?:\(.*\)|\{.*\}).*?)\s+=>/;
/** A list's item by its name, or by a first value of one word, whose version may change. */
const OBJECT = /^\{\s*["']?(?:name|id|key|title|label)["']?\s*:\s*(["'`])(.+?)\1,?$/;
const LIST_ITEM = /^-\s+(?:(?:name|id|key|title|label):\s*(.+)|([\w-]+:\s+[^\s@#]+)(?:@\S*)?\s*(?:#.*)?$)/;
/** Components, and elements that a page has once. */
const TAG = /^<([A-Z][\w.]*|html|head|title|body|main|header|footer|nav|aside|template|script|style)\b/;
/** What tells a component from others of its kind. */
const ATTRIBUTE = /\s(?:name|id|key)=(?:\{\s*)?(["'`])(.*?)\1/;
const STATEMENT =
  /^create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+|materialized\s+)?(table|view|index|function|procedure|trigger|type|schema|sequence)\s+(?:if\s+not\s+exists\s+)?([\w."`[\]]+)/i;

/** Rules of style sheets, whose parentheses are none of a function. */
const SELECTOR =
  /^(?:[.&:*>]|@(?:media|container|supports|include|mixin|layer|keyframes|function)\b|[^('"`=]*:(?:is|not|has|where|nth-[\w-]+|host)\().*\{/;

const DECLARED = /^\s*(?:const|let|var)\s*[{[]([^=]*)[}\]]\s*=/;

/** The longest head that is read for a name, in characters. */
const MAX_HEAD = 400;

/**
 * Returns a kind and a name, such as `type Shelf` or `name add`; empty if nothing in the line identifies it.
 * @param isBlock Whether the line begins a block.
 */
export function identityOf(head: string, isBlock: boolean): string {
  const text = head.trim().slice(0, MAX_HEAD);
  const imported = importOf(text);
  if (imported !== undefined) return imported;
  const sign = text.charAt(0);
  if (sign === '#' || sign === '[') {
    const [, level = '', heading = ''] = HEADING.exec(text) ?? SECTION.exec(text) ?? [];
    if (heading !== '') return `section ${level} ${heading.toLowerCase()}`;
  }
  const tag = sign === '<' ? TAG.exec(text)?.[1] : undefined;
  if (tag !== undefined) return `tag ${[tag, ATTRIBUTE.exec(text)?.[2]].filter(Boolean).join(' ')}`;
  const statement = sign.toLowerCase() === 'c' ? STATEMENT.exec(text) : null;
  if (statement !== null) return `${statement[1]?.toLowerCase()} ${statement[2]?.toLowerCase()}`;
  if (/^[a-z]{0,2}(?:"""|''')/i.test(text)) return 'statement docstring';
  // The last statement of a function is the same one with another value.
  if (/^return\b/.test(text)) return 'statement return';
  const first = /^[\w$]+/.exec(text.replace(/^[})\]]+\s*/, ''))?.[0] ?? '';
  if (KEYWORDS.has(first) && !LABEL.test(text) && !KEY.test(text)) return '';
  return typeOf(text) ?? functionOf(text) ?? labelOf(text) ?? callOf(text, isBlock) ?? memberOf(text, isBlock) ?? '';
}

/** Whether an import begins here, which names its module at its end. */
export function isImportHead(text: string): boolean {
  return /^(?:import|export)\b[^"']*\{$/.test(text);
}

function importOf(text: string): string | undefined {
  // A function may be called `use`. Go has its imports between parentheses.
  if (!IMPORT.test(text) || (/^\w+\s*\(/.test(text) && !/^import \(/.test(text))) return undefined;
  const module = /^from\s+([\w.]+)\s+import/.exec(text)?.[1] ?? /["'<]([^"'>]+)["'>]/.exec(text)?.[1];
  return `import ${
    module ??
    text
      .replace(/[;{].*$/, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  }`;
}

function typeOf(text: string): string | undefined {
  if (/^class\s*<</.test(text)) return 'type self';
  const implementation = IMPL.exec(text)?.[1];
  // The path of a trait may be written or imported.
  if (implementation !== undefined) return `type impl${implementation.replaceAll(/\w+::|\s+/g, '')}`;
  const alias = ALIAS.exec(text)?.[1];
  if (alias !== undefined) return `type ${alias}`;
  if (!TYPE.test(text)) return undefined;
  const [, , name] = (/^[^("'=]*$|^[^("'=]*[({<:]/.exec(text)?.[0] ?? text).match(TYPE) ?? [];
  return name === undefined || /^(?:extends|implements|for|is|of)$/.test(name)
    ? undefined
    : `type ${name.replace(/[:{]+$/, '')}`;
}

function functionOf(text: string): string | undefined {
  const match = FUNCTION.exec(text);
  const [, receiver, name] = match ?? [];
  if (name === undefined || match === null || /["'`]/.test(text.slice(0, match.index))) return undefined;
  const owner = /[*\s(]([\w]+)(?:\[[^\]]*\])?\s*\)\s*$/.exec(receiver ?? '')?.[1];
  return `name ${owner === undefined ? '' : `${owner}.`}${name}`;
}

function labelOf(text: string): string | undefined {
  const pattern = text.includes(' =>') ? ARM.exec(text)?.[1] : undefined;
  if (pattern !== undefined) return `label ${pattern.replaceAll(/\s+/g, ' ')}`;
  if (!/^(?:case|default|when)\b/.test(text)) return undefined;
  const label = /^(case\b.*?|default|when\b.*?)\s*(?::(?!:).*|\{|then\b.*|->.*|=>.*)?$/.exec(text)?.[1];
  // A case of an enumeration has values in parentheses, one of a statement patterns.
  const name = /^(case\s+\w+)\(.*\)$/.exec(text)?.[1];
  if (name !== undefined) return `label ${name}`;
  if (label !== undefined) return `label ${label.replaceAll(/\s+/g, ' ')}`;
  return undefined;
}

/** Whether the line begins a block without a name, of which many can stand beside each other: `watch(() => {`, `go func() {`. */
export function isNameless(text: string): boolean {
  return isCallWithBlock(text) || /\b(?:func|function|fn)\s*\([^()]*\)\s*\{$/.test(text.slice(0, MAX_HEAD));
}

function isCallWithBlock(text: string): boolean {
  if (text.length > MAX_HEAD || !/[^(\s]\s*\{$/.test(text)) return false;
  let depth = 0;
  for (const sign of text.replaceAll(/(["'`]).*?\1/g, '')) depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
  return depth > 0;
}

function callOf(text: string, isBlock: boolean): string | undefined {
  const [, macro, declared] = MACRO.exec(text) ?? [];
  if (isBlock && macro !== undefined) return `call ${macro} ${declared}`;
  const [, name, , argument] = CALL_WITH_TEXT.exec(text) ?? [];
  return isBlock && name !== undefined && !KEYWORDS.has(name) ? `call ${name} ${argument}` : undefined;
}

function memberOf(text: string, isBlock: boolean): string | undefined {
  const declared = declaredNames(text);
  if (declared.length > 0) return `names ${declared.join()}`;
  const variable = VARIABLE.exec(text)?.[1];
  if (variable !== undefined) return `name ${variable}`;
  const [, named, word] = LIST_ITEM.exec(text) ?? [];
  if (named !== undefined || word !== undefined) return `item ${(named ?? word ?? '').replaceAll(/["']/g, '').trim()}`;
  const object = OBJECT.exec(text)?.[2];
  if (object !== undefined) return `item ${object}`;
  const member = MEMBER.exec(text)?.[1];
  if (member !== undefined) return `name ${member.replaceAll(/^["']|["']$/g, '')}`;
  const field = TYPED_FIELD.exec(text)?.[1];
  if (field !== undefined && (!isBlock || !text.slice(0, text.search(/=|$/)).includes('('))) return `name ${field}`;
  const mixin = /^(@(?:mixin|function)\s+[\w-]+)/.exec(text)?.[1];
  if (mixin !== undefined) return `block ${mixin}`;
  const rule = SELECTOR.test(text)
    ? /^(.*?)\s*\{/.exec(text)?.[1]
    : /^([^{}()="'`]*\w[^{}()="'`]*)\{.*\}$/.exec(text)?.[1];
  if (rule !== undefined) return `block ${rule.replaceAll(/\s+/g, ' ').trim()}`;
  if ((isBlock || EXPRESSION_BODY.test(text)) && !isCallWithBlock(text)) {
    for (const [, name = ''] of text.matchAll(METHOD)) if (!KEYWORDS.has(name)) return `name ${name}`;
    if (/\w.*[{]\s*$/.test(text))
      return `block ${text
        .replace(/\{\s*$/, '')
        .replaceAll(/\s+/g, ' ')
        .trim()}`;
  }
  return undefined;
}

/** Whether two names of a kind begin and end with the same characters but for a few of the shorter one. */
export function isSimilarName(one: string, other: string): boolean {
  if (one === '' || one === other) return false;
  const shorter = Math.min(one.length, other.length);
  let [start, end] = [0, 0];
  while (start < shorter && one[start] === other[start]) start += 1;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const kind = one.indexOf(' ') + 1;
  return start >= kind && start - kind + end >= (shorter - kind) * 0.85;
}

/** The names that a line declares by taking an object or a list apart. */
export function declaredNames(line = ''): readonly string[] {
  return DECLARED.exec(line)?.[1]?.match(/[\w$]+(?=\s*(?:[,=]|$))/g) ?? [];
}
