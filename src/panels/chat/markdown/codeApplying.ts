/** Creates the messages that apply code of an answer to a file. */
import type { Tokens } from 'marked';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import { splitComplete } from './blocks.ts';
import { codeInfo, isForTerminal } from './codeInfo.ts';
import { pathsIn } from './filePaths.ts';

type ApplyMessage = Extract<ChatPanelMessage, { readonly type: 'applyCode' }>;

const FENCE = /^ {0,3}(?:(?:`{3,})([^`\n]*)|(?:~{3,})(.*))$/gm;

/** @param before the text before the code, which may name its file; the nearest path is the most likely one. */
export function applyMessage(text: string, info: string, before: string | undefined): ApplyMessage {
  const { language, file } = codeInfo(info);
  const named = before === undefined ? [] : pathsIn(before).map(({ path }) => path);
  return { type: 'applyCode', text, paths: file === undefined ? named.reverse() : [file], language };
}

/** Whether an answer contains several code blocks that belong in files, without parsing it. */
export function hasCodeForFiles(answer: string): boolean {
  const fences = [...answer.matchAll(FENCE)];
  const isForFile = (fence: RegExpExecArray, index: number) =>
    index % 2 === 0 && !isForTerminal(answer.slice(fence.index + fence[0].length + 1), fence[1] ?? fence[2] ?? '');
  return fences.filter(isForFile).length > 1;
}

/** Returns one message for each block that names its file, or one for the longest block if none does. */
export function applyMessagesOf(answer: string): readonly ApplyMessage[] {
  const { blocks } = splitComplete(answer);
  const shown = blocks.filter(({ token }) => token.type !== 'space');
  const messages = shown.flatMap(({ token }, index) => {
    if (token.type !== 'code') return [];
    const { text, lang = '' } = token as Tokens.Code;
    if (isForTerminal(text, lang)) return [];
    return [applyMessage(text, lang, shown[index - 1]?.raw)];
  });
  const named = messages.filter(({ paths }) => paths.length > 0);
  if (named.length > 0) return named;
  return [...messages].sort((a, b) => b.text.length - a.text.length).slice(0, 1);
}
