import { THEMES, type Theme } from './themes.ts';

interface OverviewProps {
  readonly states: readonly { readonly name: string; readonly title: string }[];
  readonly widths: readonly number[];
  readonly theme: Theme;
  readonly width: number;
}

/** All states side by side, in one theme and width. */
export function Overview({ states, widths, theme, width }: OverviewProps) {
  return (
    <main>
      <nav aria-label="Theme and width">
        {THEMES.map((name) => (
          <a key={name} href={`?theme=${name}&width=${width}`} aria-current={name === theme ? 'true' : undefined}>
            {name}
          </a>
        ))}
        {widths.map((value) => (
          <a key={value} href={`?theme=${theme}&width=${value}`} aria-current={value === width ? 'true' : undefined}>
            {value} px
          </a>
        ))}
      </nav>
      <div class="states">
        {states.map(({ name, title }) => {
          const address = `?state=${name}&theme=${theme}`;
          return (
            <section key={name}>
              <h2>
                <a href={`${address}&width=${width}`}>{title}</a>
              </h2>
              <iframe title={title} src={address} width={width} loading="lazy" />
            </section>
          );
        })}
      </div>
    </main>
  );
}
