import type { HistoryFilter } from '../protocol.ts';
import type { Summary } from './summary.ts';

/**
 * Returns whether the list shows a conversation.
 * @param here The URI of this window's workspace, if it has one.
 */
export function passes(summary: Summary, filter: HistoryFilter, here: string | undefined): boolean {
  const { pinned, model, workspace } = summary;
  if (filter.pinned === true && !pinned) return false;
  if (filter.workspace === true && (here === undefined || workspace !== here)) return false;
  return filter.model === undefined || filter.model === model;
}

/** The models that conversations can be filtered by, sorted by name. */
export function modelsOf(summaries: readonly Summary[]): readonly string[] {
  return [...new Set(summaries.flatMap(({ model }) => model ?? []))].sort((a, b) => a.localeCompare(b));
}
