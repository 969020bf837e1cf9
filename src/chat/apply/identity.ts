/** What identifies an item of a text, such as the name of a function, so that another version of it is recognized. */

const KEYWORDS = new Set(
  'if else for foreach while until switch match catch try do return throw await yield new delete typeof in of case when with using lock synchronized super this assert elif unless select defer go not and or except finally then unsafe sizeof'.split(
    ' ',
  ),
);

const TYPE =
  /\b(class|interface|struct|enum|trait|namespace|module|record|object|protocol|extension|union|mod|package|contract|service|message)\s+(?!=)([\w$.:@/'"-]+)/;
const IMPL = /^(?:unsafe\s+)?impl\b(.*?)\{?\s*$/;
const ALIAS = /^(?:export\s+)?(?:declare\s+)?type\s+([\w$]+)/;
const FUNCTION = /\b(?:function\*?|def|fn|func|fun|sub|proc|defp|defmacro)\s+(\([^)]*\)\s*)?([\w$.~]+[?!]?)/;
const VARIABLE =
  /^(?:(?:export|default|declare|public|private|protected|internal|static|final|readonly|pub|pub\([^)]*\)|abstract|override|async)\s+)*(?:const|let|var|val|local|my|our)\s+(?:mut\s+)?([\w$@]+)/;
const CALL_WITH_TEXT = /^(?:await\s+)?([\w$.]+)\(\s*(["'`])(.*?)\2/;
const METHOD = /(?:^|[\s*&.:~])([#~]?[\w$]+|operator\s*[^\s(]+)\s*(?:<[^<>()]*>)?\s*\(/g;
const MEMBER =
  /^(?:(?:export|public|private|protected|internal|static|final|readonly|pub|pub\([^)]*\)|abstract|override|volatile|declare|@\w+)\s+)*([\w$#.'"@-]+)\s*(?:[?!])?\s*(?::=|=>|[:=](?!=))/;
const TYPED_FIELD =
  /^(?:(?:public|private|protected|internal|static|final|readonly|const|virtual|override|volatile)\s+)+[\w<>[\],.? ]*?[\s>\]]([\w$]+)\s*(?:=|;|\{)/;
const IMPORT =
  /^(?:import|from|use|using|#\s*include|require|require_relative|include|export\s+(?:\*|\{)|@import|@use|package|extern crate)\b/;
const LABEL = /^(?:case\b.*|default\s*:?|when\b.*|.+?\s=>.*)$/;
/** Components, and elements that a page has once. */
const TAG = /^<([A-Z][\w.]*|html|head|title|body|main|header|footer|nav|aside|template|script|style)\b/;
const STATEMENT =
  /^create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+|materialized\s+)?(table|view|index|function|procedure|trigger|type|schema|sequence)\s+(?:if\s+not\s+exists\s+)?([\w."`[\]]+)/i;

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
  const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(text)?.[1] ?? /^\[{1,2}([^\]]+)\]{1,2}$/.exec(text)?.[1];
  if (heading !== undefined) return `section ${heading.toLowerCase()}`;
  const tag = TAG.exec(text)?.[1];
  if (tag !== undefined) return `tag ${tag}`;
  const statement = STATEMENT.exec(text);
  if (statement !== null) return `${statement[1]?.toLowerCase()} ${statement[2]?.toLowerCase()}`;
  // The last statement of a function is the same one with another value.
  if (/^return\b/.test(text)) return 'statement return';
  const first = /^[\w$]+/.exec(text.replace(/^[})\]]+\s*/, ''))?.[0] ?? '';
  if (KEYWORDS.has(first) && !LABEL.test(text)) return '';
  return typeOf(text) ?? functionOf(text) ?? labelOf(text) ?? callOf(text, isBlock) ?? memberOf(text, isBlock) ?? '';
}

function importOf(text: string): string | undefined {
  if (!IMPORT.test(text) || /^(?:import|require)\s*\(/.test(text)) return undefined;
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
  const implementation = IMPL.exec(text)?.[1];
  if (implementation !== undefined) return `type impl${implementation.replaceAll(/\s+/g, '')}`;
  const alias = ALIAS.exec(text)?.[1];
  if (alias !== undefined) return `type ${alias}`;
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
  const label = /^(case\b.*?|default|when\b.*?)\s*(?::(?!:).*|\{|then\b.*|->.*|=>.*)?$/.exec(text)?.[1];
  if (label !== undefined && /^(?:case|default|when)\b/.test(label)) return `label ${label.replaceAll(/\s+/g, ' ')}`;
  return undefined;
}

function callOf(text: string, isBlock: boolean): string | undefined {
  const [, name, , argument] = CALL_WITH_TEXT.exec(text) ?? [];
  return isBlock && name !== undefined && !KEYWORDS.has(name) ? `call ${name} ${argument}` : undefined;
}

function memberOf(text: string, isBlock: boolean): string | undefined {
  const variable = VARIABLE.exec(text)?.[1];
  if (variable !== undefined) return `name ${variable}`;
  const item = /^-\s+(?:name|id|key|title):\s*(.+)$/.exec(text)?.[1];
  if (item !== undefined) return `item ${item}`;
  const member = MEMBER.exec(text)?.[1];
  if (member !== undefined) return `name ${member.replaceAll(/^["']|["']$/g, '')}`;
  if (isBlock) {
    for (const [, name = ''] of text.matchAll(METHOD)) if (!KEYWORDS.has(name)) return `name ${name}`;
    if (/[{]\s*$/.test(text))
      return `block ${text
        .replace(/\{\s*$/, '')
        .replaceAll(/\s+/g, ' ')
        .trim()}`;
    return undefined;
  }
  const field = TYPED_FIELD.exec(text)?.[1];
  return field === undefined ? undefined : `name ${field}`;
}
