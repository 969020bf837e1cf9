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
