export interface TabsProps<Name extends string> {
  /** The accessible name of the list. */
  readonly label: string;
  readonly tabs: readonly (readonly [Name, string])[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}

/** The ID of the element with role `tabpanel`, and that of the tab which labels it. */
export const TAB_CONTENT = 'tab-content';
export const tabId = (name: string) => `tab-${name}`;

/** A list of tabs. The arrow keys, Home, and End choose one; its content is the element {@link TAB_CONTENT}. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose }: TabsProps<Name>) {
  const onKeyDown = (event: KeyboardEvent) => {
    const next = placeAfter(
      event.key,
      tabs.findIndex(([name]) => name === chosen),
      tabs.length,
    );
    const [name] = next === undefined ? [] : (tabs[next] ?? []);
    if (name === undefined) return;
    event.preventDefault();
    onChoose(name);
    document.getElementById(tabId(name))?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(([name, words]) => (
        <button
          key={name}
          id={tabId(name)}
          type="button"
          role="tab"
          aria-selected={chosen === name}
          aria-controls={TAB_CONTENT}
          tabIndex={chosen === name ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}

function placeAfter(key: string, place: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (place + 1) % count;
    case 'ArrowLeft':
      return (place - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
