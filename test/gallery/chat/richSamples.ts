import { answer, user } from './samples.ts';

/** Formulas, diagrams, footnotes, and a wide table. */
export const RICH =
  String.raw`The loss is $L(\theta) = -\sum_i y_i \log p_i$ for each token[^loss], and it costs $5 or $6 a run.

$$
\nabla_\theta L = \frac{1}{n} \sum_{i=1}^{n} \begin{pmatrix} p_i - y_i \\ \mathcal{O}(n^2) \end{pmatrix} x_i^\top + \int_0^\infty e^{-x^2}\,dx = \sqrt{\frac{\pi}{4}} + \underbrace{a + b + c}_{\text{a very long formula}}
$$

` +
  `\`\`\`mermaid
flowchart LR
  A[Request] --> B{Fresh token?}
  B -- yes --> C[Send]
  B -- no --> D[Refresh once] --> C
\`\`\`

\`\`\`mermaid
sequenceDiagram
  participant T as Tab
  participant S as Server
  T->>S: refresh
  S-->>T: new pair
  Note over T,S: once per window
\`\`\`

\`\`\`mermaid
flowchart LR
  A[This one --> is broken
\`\`\`

| Model | Window | Input, a million | Output, a million | Reasoning | Images | Notes on its use |
|:------|-------:|------:|------:|:---:|:---:|:------|
| a[^prices] | 200,000 | $3.00 | $15.00 | yes | yes | long files |
| b | 1,000,000 | $0.50 | $3.00 | no | no | quick questions |

A formula that is wrong shows its source: $\\frac{1}{$ and $\\undefined{x}$.

[^loss]: The mean over a batch, see *the notes*.
[^prices]: In US dollars.`;

/** Answers that contain more than text. */
export const TOOL_CALLS = [
  user('u1', 'When is high water in Bremen, and is there room in the diary?'),
  answer('b1', 'High water is at 14:20, an hour later than yesterday. I look into the diary before I say more.', {
    toolCalls: [
      {
        id: 't1',
        name: 'tides.lookup',
        arguments: '{"place":"Bremen","day":"2026-01-15"}',
        result: '{"high":"14:20"}',
      },
      { id: 't2', name: 'diary', arguments: '{"from":"14:00","to":"16:00"}' },
    ],
    citations: [
      { url: 'https://example.com/tides/bremen', title: 'Tides at Bremen', quote: 'High water on 15 January: 14:20.' },
      { url: 'https://www.example.org/almanac/' },
      { title: 'almanac.pdf' },
    ],
    figures: { inputTokens: 2400, outputTokens: 118, cost: 0.009, firstTokenMs: 700, estimated: false },
  }),
];

export const REFUSED = [
  user('u1', 'Sign this in the name of my neighbour'),
  answer('b1', '', {
    refusal: 'I do not write in the name of someone who has not asked for it. I can draft a letter that **you** sign.',
    refusedBy: 'model',
    figures: { inputTokens: 300, outputTokens: 28, cost: 0.0013, firstTokenMs: 500, estimated: false },
  }),
  user('u2', 'Then something else'),
  answer('b2', '', {
    refusedBy: 'filter',
    figures: { inputTokens: 340, outputTokens: 0, cost: 0.001, estimated: false },
  }),
];
