/** What opens above the composer, or over the list of saved chats; one at a time. */
export type Popover = 'models' | 'formats' | 'parameters' | 'prompts' | 'context' | 'breakdown' | 'more' | 'filter';
