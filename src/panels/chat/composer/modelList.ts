/** The list of models in the picker: filtered and grouped by family. */

import * as l10n from '@vscode/l10n';
import { formatPrice } from '../../../display/money.ts';
import { formatWindow } from '../../../display/tokens.ts';
import type { ModelView } from '../../../pages/chat/protocol.ts';

export interface ModelGroup {
  readonly family: string;
  readonly models: readonly ModelView[];
}

/**
 * Groups models by family, in the catalog's order. A model is kept if its name or family contains every word of the
 * filter.
 */
export function groupModels(models: readonly ModelView[], filter: string): readonly ModelGroup[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = models.filter(({ id, family }) => {
    const text = `${id} ${family}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return [...Map.groupBy(kept, ({ family }) => family)].map(([family, members]) => ({ family, models: members }));
}

/** Returns the second line of a row in a narrow panel, with the known parts: `200k · $1.00 in, $5.00 out per 1M`. */
export function summary({ contextWindow, inputPrice, outputPrice }: ModelView): string {
  return [
    contextWindow === undefined ? undefined : formatWindow(contextWindow),
    inputPrice === undefined && outputPrice === undefined
      ? undefined
      : l10n.t('{0} in, {1} out per 1M', priceText(inputPrice), priceText(outputPrice)),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function priceText(usd: number | undefined): string {
  return usd === undefined ? '–' : formatPrice(usd);
}

export const ABILITIES = [
  { key: 'tools', icon: 'tools', label: () => l10n.t('Tools') },
  { key: 'images', icon: 'file-media', label: () => l10n.t('Images') },
  { key: 'reasoning', icon: 'thinking', label: () => l10n.t('Reasoning') },
] as const;
