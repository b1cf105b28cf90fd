/** The mail was sent, failed on every channel, or is not needed any more. */
export type MailOutcome = 'sent' | 'undelivered' | 'obsolete';
