/** The list of models in the picker: filtered, grouped by family, and with what the request would cost on each. */

import * as l10n from '@vscode/l10n';
import { formatPrice } from '../../../display/money.ts';
import { formatWindow } from '../../../display/tokens.ts';
import type { EstimateView, ModelView } from '../../../editor/chat/protocol.ts';

export interface ModelGroup {
  readonly family: string;
  readonly models: readonly ModelView[];
}

/** Families in the catalog's order. A model stays when its name or family holds every word of the filter. */
export function groupModels(models: readonly ModelView[], filter: string): readonly ModelGroup[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = models.filter(({ id, family }) => {
    const text = `${id} ${family}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return [...Map.groupBy(kept, ({ family }) => family)].map(([family, members]) => ({ family, models: members }));
}

/** US dollars that the request would be expected to cost on this model, or undefined without prices or a count. */
export function costWith(model: ModelView, estimate: EstimateView): number | undefined {
  const { inputTokens, expectedOutputTokens } = estimate;
  if (inputTokens === undefined || model.inputPrice === undefined) return undefined;
  if (expectedOutputTokens === undefined) return (inputTokens * model.inputPrice) / 1e6;
  if (model.outputPrice === undefined) return undefined;
  return (inputTokens * model.inputPrice + expectedOutputTokens * model.outputPrice) / 1e6;
}

/** The second line of a row in a narrow panel: `200k · $1.00 in · $5.00 out`, as far as known. */
export function summary({ contextWindow, inputPrice, outputPrice }: ModelView): string {
  return [
    contextWindow === undefined ? undefined : formatWindow(contextWindow),
    inputPrice === undefined ? undefined : l10n.t('{0}/1M in', formatPrice(inputPrice)),
    outputPrice === undefined ? undefined : l10n.t('{0}/1M out', formatPrice(outputPrice)),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

export const ABILITIES = [
  { key: 'tools', icon: 'tools', label: () => l10n.t('Tools') },
  { key: 'images', icon: 'file-media', label: () => l10n.t('Images') },
  { key: 'reasoning', icon: 'thinking', label: () => l10n.t('Reasoning') },
] as const;
