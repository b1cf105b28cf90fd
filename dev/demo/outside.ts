import { setTimeout as sleep } from 'node:timers/promises';
import type { DevJson } from '../dev-json.js';

const timeoutMs = 10_000;
const giveUpMs = 60_000;
const pollMs = 200;

/** The sandbox keeps every record; those of one demo are among the newest. */
export const newest = 'limit=100';

export interface Mail {
  /** Message-ID. */
  id: string;
  channel: string;
  to: string | null;
  subject: string;
  text: string;
}

/** Calls the sandbox's control API; with a body it sends a POST. Answers hold signatures, so they may be large. */
export async function sandbox<T>(dev: DevJson, path: string, body?: object): Promise<T> {
  const response = await fetch(`${dev.sandbox}/_sandbox${path}`, {
    ...(body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`The sandbox answered ${response.status}`);
  return (await response.json()) as T;
}

/** The mails of a mailbox, oldest first. As mailboxes do, it drops a second copy, which has the same Message-ID. */
export async function mailsTo(dev: DevJson, email: string): Promise<Mail[]> {
  const { messages } = await sandbox<{ messages: Mail[] }>(dev, `/messages?to=${encodeURIComponent(email)}`);
  const mails = messages.filter(({ channel }) => channel === 'email').reverse();
  return mails.filter(({ id }, n) => mails.findIndex((earlier) => earlier.id === id) === n);
}

/** Waits for an e-mail with this subject and text, and prints it. */
export async function readMail(dev: DevJson, email: string, subject: string, holding = ''): Promise<Mail> {
  const mail = await until(`the mail '${subject}' is there`, async () =>
    (await mailsTo(dev, email)).find((one) => one.subject === subject && one.text.includes(holding)),
  );
  console.log(`  Mail: ${mail.subject}`);
  for (const line of mail.text.trim().split(/\n+/)) console.log(`    | ${line}`);
  return mail;
}

/** Polls until there is a value. @throws Error after a minute */
export async function until<T>(what: string, look: () => Promise<T | null | undefined>): Promise<T> {
  const deadline = Date.now() + giveUpMs;
  while (Date.now() < deadline) {
    const found = await look();
    if (found !== null && found !== undefined) return found;
    await sleep(pollMs);
  }
  throw new Error(`After ${giveUpMs / 1000} s it was not so that ${what}`);
}
