import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ChatStore } from './store.ts';

export const StoreContext = createContext<ChatStore | undefined>(undefined);

export function useStore(): ChatStore {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error('The panel has no store around it.');
  return store;
}
