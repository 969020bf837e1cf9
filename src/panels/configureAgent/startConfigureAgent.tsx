import { signal } from '@preact/signals';
import { render } from 'preact';
import type { ConfigureAgentTransport } from '../../pages/configureAgent/configureMessages.ts';
import type { ConfigureAgentState } from '../../pages/configureAgent/protocol.ts';
import { ConfigurePage } from './configurePage.tsx';
import './styles/index.css';

/** Renders the page that configures the agent into `root` and connects it to its host. */
export function startConfigureAgent(root: HTMLElement, transport: ConfigureAgentTransport): void {
  const state = signal<ConfigureAgentState | undefined>(undefined);
  render(<ConfigurePage state={state} post={(message) => transport.post(message)} />, root);
  transport.listen((message) => {
    state.value = message.state;
  });
  transport.post({ type: 'ready' });
}
