import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useStore } from '../storeContext.ts';
import { type FilePath, pathsIn } from './filePaths.ts';
import { breakable } from './longWords.ts';

/** A link to a file in the workspace and the given lines. Plain text if there is no such file. */
export function FileLink({ file, children }: { readonly file: FilePath; readonly children: ComponentChildren }) {
  const store = useStore();
  if (!store.files.has(file.path)) return <>{children}</>;
  const open = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    store.post({ type: 'openFile', ...file });
  };
  return (
    <a class="file" href={`#${file.path}`} title={titleOf(file)} onClick={open}>
      {children}
    </a>
  );
}

function titleOf({ path, line, endLine }: FilePath): string {
  if (line === undefined) return l10n.t('Open {0}', path);
  if (endLine === undefined) return l10n.t('Open {0} at line {1}', path, line);
  return l10n.t('Open {0}, lines {1} to {2}', path, line, endLine);
}

/** Longer texts are not searched for paths. In characters. */
const MAX_LENGTH = 20_000;

/** Returns text whose paths are links. */
export function withFileLinks(text: string): ComponentChildren {
  const paths = text.length > MAX_LENGTH ? [] : pathsIn(text);
  if (paths.length === 0) return breakable(text);
  let from = 0;
  const parts = paths.flatMap(({ start, raw, ...file }) => {
    const before = text.slice(from, start);
    from = start + raw.length;
    return [
      before,
      <FileLink key={start} file={file}>
        {raw}
      </FileLink>,
    ];
  });
  return [...parts, text.slice(from)];
}
