/** A mail is on its way, was tried in vain on every channel, or is wanted no more. */
export type MailOutcome = 'sent' | 'undelivered' | 'obsolete';
