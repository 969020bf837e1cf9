/** What the sandbox says about the sample file, in the languages of the interface. */
import type { SampleLanguage, SampleQuestion } from './sampleQuestions.ts';

export interface SampleFile {
  readonly path: string;
  /** Links to the lines of the two functions and of the sum, such as `src/quote.ts:11`. */
  readonly quote: string;
  readonly quoteAll: string;
  readonly sum: string;
  /** Whether the sum is rounded in all cases: the improvement was applied. */
  readonly isImproved: boolean;
  /** Whether a parcel without a weight is rejected. */
  readonly checksWeights: boolean;
  /** The whole file after the improvement, as a code block. */
  readonly improvedCode: string;
}

interface SampleTexts extends Readonly<Record<SampleQuestion, (file: SampleFile) => string>> {
  /** The last line of each prepared answer. */
  readonly note: string;
  /** The answer to any other question about the file. */
  readonly free: string;
}

/** A list below a heading; nothing if there is nothing to list. */
function warnings(heading: string, listed: readonly (string | false)[]): string {
  const items = listed.filter((item) => item !== false).map((item) => `- ${item}`);
  return items.length === 0 ? '' : `\n\n**${heading}**\n\n${items.join('\n')}`;
}

const ENGLISH: SampleTexts = {
  note: '*Prepared answer: the sandbox has not asked a model.*',
  explain: (file) => `\`${file.path}\` calculates what it costs to send parcels, in euros.

| Function | Returns |
|:---------|:--------|
| \`quote\` | the price of one parcel to a zone |
| \`quoteAll\` | the price of a basket; from five parcels on, a tenth less |

This is how \`quote\` (\`${file.quote}\`) calculates a price:

1. \`chargeableWeight\` returns the weight of the parcel, or that of its volume at 200 kg per cubic meter if it is more.
2. The weight is multiplied by the zone's price per kilogram. The result is at least the zone's minimum price.
3. Fragile parcels cost €2.50 more. The price is rounded to cents.${warnings('What to watch out for', [
    !file.checksWeights && 'A weight of zero or less is accepted and costs the minimum price.',
    !file.isImproved &&
      `\`quoteAll\` rounds only with the discount: three parcels at €5.90 cost 17.700000000000003 (\`${file.sum}\`).`,
  ])}`,
  table: ({ path, quote, quoteAll }) => `## Prices

\`${path}\` has one row of prices for each zone, in euros:

| Zone | Per kilogram | At least |
|:-----|-------------:|---------:|
| local | 1.20 | 3.50 |
| national | 2.40 | 5.90 |
| abroad | 6.80 | 14.90 |

A fragile parcel costs 2.50 more in every zone.

## Functions

| Function | Line | Returns |
|:---------|:-----|:--------|
| \`quote\` | \`${quote}\` | the price of one parcel |
| \`quoteAll\` | \`${quoteAll}\` | the price of a basket, a tenth less from five parcels on |

## Formula

The price $p$ of a parcel has the chargeable weight $w$, the zone's price per kilogram $k$ and minimum price $m$, and the surcharge $f$:

$$
p = \\max(w \\cdot k,\\; m) + f
$$`,
  improve: ({ sum, isImproved, improvedCode }) =>
    isImproved
      ? '`quoteAll` already rounds every sum, so there is nothing to change.'
      : `\`quoteAll\` rounds only when it subtracts the discount (\`${sum}\`). Three parcels at €5.90 cost 17.700000000000003 instead of 17.70. Now it always rounds, and the discount has a name.

${improvedCode}`,
  free: 'The sandbox has no model, so it cannot answer this. About this file it has three prepared answers: explain it, summarize it in a table, and improve it. They are the prompts of a new chat. `help` lists what else it can do. With a service key, the model that you have chosen answers.',
};

const GERMAN: SampleTexts = {
  note: '*Vorbereitete Antwort: Die Sandbox hat kein Modell gefragt.*',
  explain: (file) => `\`${file.path}\` berechnet in Euro, was der Versand von Paketen kostet.

| Funktion | Ergebnis |
|:---------|:---------|
| \`quote\` | der Preis eines Pakets in eine Zone |
| \`quoteAll\` | der Preis eines Korbs; ab fünf Paketen ein Zehntel weniger |

So berechnet \`quote\` (\`${file.quote}\`) einen Preis:

1. \`chargeableWeight\` liefert das Gewicht des Pakets oder das seines Volumens bei 200 kg je Kubikmeter, wenn es höher ist.
2. Das Gewicht wird mit dem Kilopreis der Zone multipliziert. Das Ergebnis ist mindestens der Mindestpreis der Zone.
3. Zerbrechliche Pakete kosten 2,50 € mehr. Der Preis wird auf Cent gerundet.${warnings('Worauf zu achten ist', [
    !file.checksWeights && 'Ein Gewicht von null oder weniger wird angenommen und kostet den Mindestpreis.',
    !file.isImproved &&
      `\`quoteAll\` rundet nur mit dem Rabatt: Drei Pakete zu 5,90 € kosten 17.700000000000003 (\`${file.sum}\`).`,
  ])}`,
  table: ({ path, quote, quoteAll }) => `## Preise

\`${path}\` enthält für jede Zone eine Zeile mit Preisen in Euro:

| Zone | Je Kilogramm | Mindestens |
|:-----|-------------:|-----------:|
| local | 1,20 | 3,50 |
| national | 2,40 | 5,90 |
| abroad | 6,80 | 14,90 |

Ein zerbrechliches Paket kostet in jeder Zone 2,50 mehr.

## Funktionen

| Funktion | Zeile | Ergebnis |
|:---------|:------|:---------|
| \`quote\` | \`${quote}\` | der Preis eines Pakets |
| \`quoteAll\` | \`${quoteAll}\` | der Preis eines Korbs, ab fünf Paketen ein Zehntel weniger |

## Formel

Der Preis $p$ eines Pakets ergibt sich aus dem berechneten Gewicht $w$, dem Kilopreis $k$ und dem Mindestpreis $m$ der Zone und dem Zuschlag $f$:

$$
p = \\max(w \\cdot k,\\; m) + f
$$`,
  improve: ({ sum, isImproved, improvedCode }) =>
    isImproved
      ? '`quoteAll` rundet bereits jede Summe, es ist also nichts zu ändern.'
      : `\`quoteAll\` rundet nur, wenn es den Rabatt abzieht (\`${sum}\`). Drei Pakete zu 5,90 € kosten 17.700000000000003 statt 17.70. Nun rundet es immer, und der Rabatt hat einen Namen.

${improvedCode}`,
  free: 'Die Sandbox hat kein Modell und kann das nicht beantworten. Zu dieser Datei hat sie drei vorbereitete Antworten: erklären, in einer Tabelle zusammenfassen und verbessern. Sie sind die Vorschläge eines neuen Chats. `help` zeigt, was sie sonst kann. Mit einem Dienstschlüssel antwortet das gewählte Modell.',
};

const CHINESE: SampleTexts = {
  note: '*预先准备的回答：沙盒没有向模型提问。*',
  explain: (file) => `\`${file.path}\` 计算寄送包裹的费用，单位为欧元。

| 函数 | 返回 |
|:-----|:-----|
| \`quote\` | 一个包裹寄往某个区域的价格 |
| \`quoteAll\` | 一篮包裹的价格；五个及以上便宜十分之一 |

\`quote\`（\`${file.quote}\`）这样计算价格：

1. \`chargeableWeight\` 返回包裹的重量；若按每立方米 200 千克折算的体积重量更大，则返回后者。
2. 重量乘以该区域的每千克价格，结果不低于该区域的最低价格。
3. 易碎包裹加收 2.50 欧元，价格四舍五入到分。${warnings('需要注意', [
    !file.checksWeights && '零或负数的重量也会被接受，并按最低价格计费。',
    !file.isImproved && `\`quoteAll\` 只在打折时取整：三个 5.90 欧元的包裹为 17.700000000000003（\`${file.sum}\`）。`,
  ])}`,
  table: ({ path, quote, quoteAll }) => `## 价格

\`${path}\` 为每个区域列出一行价格，单位为欧元：

| 区域 | 每千克 | 最低 |
|:-----|-------:|-----:|
| local | 1.20 | 3.50 |
| national | 2.40 | 5.90 |
| abroad | 6.80 | 14.90 |

易碎包裹在每个区域都加收 2.50。

## 函数

| 函数 | 行 | 返回 |
|:-----|:---|:-----|
| \`quote\` | \`${quote}\` | 一个包裹的价格 |
| \`quoteAll\` | \`${quoteAll}\` | 一篮包裹的价格，五个及以上便宜十分之一 |

## 公式

包裹的价格 $p$ 取决于计费重量 $w$、该区域的每千克价格 $k$ 和最低价格 $m$，以及附加费 $f$：

$$
p = \\max(w \\cdot k,\\; m) + f
$$`,
  improve: ({ sum, isImproved, improvedCode }) =>
    isImproved
      ? '`quoteAll` 已对所有合计取整，无需更改。'
      : `\`quoteAll\` 只在减去折扣时取整（\`${sum}\`）。三个 5.90 欧元的包裹为 17.700000000000003，而不是 17.70。现在它总是取整，折扣也有了名称。

${improvedCode}`,
  free: '沙盒没有模型，无法回答这个问题。关于此文件，它有三个预先准备的回答：解释、用表格概括和改进，即新聊天中的建议。`help` 列出它的其他功能。设置服务密钥后，由你选择的模型回答。',
};

export const sampleTexts: Readonly<Record<SampleLanguage, SampleTexts>> = { en: ENGLISH, de: GERMAN, zh: CHINESE };
