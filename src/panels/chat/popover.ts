/** The popovers above the composer or the list of saved chats; one at a time. */
export type Popover =
  | 'models'
  | 'formats'
  | 'parameters'
  | 'prompts'
  | 'context'
  | 'instructions'
  | 'page'
  | 'breakdown'
  | 'mode'
  | 'limits'
  | 'more'
  | 'filter';
