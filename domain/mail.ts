/** What became of a mail: on its way, tried in vain on every channel, or wanted no more. */
export type MailOutcome = 'sent' | 'undelivered' | 'obsolete';
