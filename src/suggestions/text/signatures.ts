/** Lines that say what a file imports and declares, for a model that sees another file. */

const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|#include\b|using\s|use\s|require\b|(?:const|let|var)\s.*\brequire\()/;
const DECLARATION =
  /^\s*(?:(?:export|default|public|private|protected|internal|static|abstract|async|declare|readonly|final|override|pub(?:\([^)]*\))?|@\w+)\s+)*(?:function\b|class\s|interface\s|type\s+\w|enum\s|struct\s|trait\s|impl\b|fn\s|def\s|func\s|module\s|namespace\s|record\s|protocol\s|const\s+\w+\s*(?::[^=]+)?=\s*(?:async\s*)?\()/;
/** A method, or a function of a language without a keyword for it. */
const METHOD =
  /^\s+(?:(?:public|private|protected|static|async|override|get|set)\s+)*#?\w+\([^;{}]*\)(?:\s*:\s*[^{;]+)?\s*\{$/;
const NOT_A_METHOD = /^\s+(?:if|for|while|switch|catch|return|else|do|with)\b/;
const LONGEST = 160;

export function importsOf(lines: readonly string[]): string[] {
  return lines.filter((line) => IMPORT.test(line)).map((line) => line.trimEnd().slice(0, LONGEST));
}

/** Declarations without their bodies, in order. */
export function declarationsOf(lines: readonly string[]): string[] {
  return lines
    .filter((line) => DECLARATION.test(line) || (METHOD.test(line) && !NOT_A_METHOD.test(line)))
    .map((line) => line.replace(/\s*\{?\s*$/, '').slice(0, LONGEST));
}

/** The name of the function whose arguments are being written before the cursor, with the position of its name. */
export function calledBefore(linePrefix: string): { readonly name: string; readonly at: number } | undefined {
  let depth = 0;
  for (let at = linePrefix.length - 1; at >= 0; at -= 1) {
    const char = linePrefix[at];
    if (char === ')') depth += 1;
    if (char !== '(') continue;
    if (depth > 0) {
      depth -= 1;
      continue;
    }
    const name = /[\p{L}_$#][\p{L}\p{N}_$]*$/u.exec(linePrefix.slice(0, at))?.[0];
    const isCall = name !== undefined && !/^(?:if|for|while|switch|catch|return|function|def|fn|func)$/.test(name);
    return isCall ? { name, at: at - name.length } : undefined;
  }
  return undefined;
}
