import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { expect } from '@jest/globals';
import type { Page, Response } from 'playwright-core';
import { eventually } from '../helpers/client.js';

/** What a person did for a job, what the page said, and what the books outside say afterwards. */
export interface Job {
  job: string;
  clicks: number;
  shown: string[];
  books: string;
}

interface Act {
  /** What the page must say before it is sent. */
  effect: RegExp;
  write?: () => Promise<void>;
}

const isSent = (response: Response) =>
  response.request().method() === 'POST' && /\/(actions|answer)$/.test(new URL(response.url()).pathname);

/** Somebody who reads only the page: finds everything by its visible words, and counts the clicks. */
export class Reader {
  clicks = 0;
  readonly shown: string[] = [];
  constructor(readonly page: Page) {}

  /** The last with these words is the one that has just appeared. */
  async click(words: string | RegExp): Promise<void> {
    const { page } = this;
    const named = { name: words, exact: true };
    const target = page
      .getByRole('button', named)
      .or(page.getByRole('link', named))
      .or(page.locator('summary', { hasText: words }))
      .filter({ visible: true })
      .last();
    await target.click();
    this.clicks += 1;
  }

  async write(label: string | RegExp, text: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).filter({ visible: true }).last().fill(text);
  }

  async choose(label: string, option: string): Promise<void> {
    const select = this.page.getByLabel(new RegExp(`^${label}`)).filter({ visible: true });
    await select.last().selectOption({ label: option });
    this.clicks += 1;
  }

  /** Waits until the page says it, and keeps the whole sentence. */
  async reads(words: string | RegExp): Promise<void> {
    const said = this.page.getByText(words).filter({ visible: true }).first();
    await said.waitFor();
    this.keep(await said.innerText());
  }

  /** What a card says under a name, once it says so. */
  async learns(name: string, value: RegExp): Promise<void> {
    const said = this.page
      .locator('.cards dt', { hasText: new RegExp(`^${name}$`) })
      .locator('+ dd')
      .filter({ hasText: value })
      .first();
    await said.waitFor();
    this.keep(`${name}: ${await said.innerText()}`);
  }

  async find(what: string): Promise<void> {
    await this.page.getByRole('searchbox', { name: 'Find an order or a patient' }).fill(what);
    await this.click('Find');
  }

  /** Opens the item of a kind that is about somebody. */
  async open(kind: RegExp, about: string): Promise<void> {
    const kinds = this.page.getByLabel('Kind');
    const option = kinds.locator('option', { hasText: kind });
    await option.waitFor({ state: 'attached' });
    await kinds.selectOption(await option.getAttribute('value'));
    const row = this.page.locator('#items').getByRole('button', { name: about });
    const more = this.page.getByRole('button', { name: 'More' });
    await eventually(async () => {
      if ((await row.count()) > 0) return true;
      // A list that is drawn anew may have no more.
      if (await more.isVisible()) await more.click({ timeout: 5_000 }).catch(() => undefined);
      return false;
    });
    // A list that is drawn anew takes a click away, as it does from a person.
    const opened = this.page.locator('#item').getByText(about).first();
    await eventually(async () => {
      await row.first().click();
      return opened.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    });
    this.clicks += 2;
  }

  /** Chooses an action, reads its effect, fills its fields, sends it, and confirms it where the page asks. */
  async act(name: string, { write, send = name, effect }: Act & { send?: string }): Promise<void> {
    const { page } = this;
    await this.click(name);
    await this.reads(effect);
    await write?.();
    const answered = page.waitForResponse(isSent);
    await this.click(send);
    if (await page.getByRole('dialog').isVisible()) await this.click(/^Yes, /);
    await answered;
    const status = page.getByRole('status').filter({ hasText: /\S/, hasNotText: 'On its way' });
    await status.waitFor();
    const said = await status.innerText();
    expect(said).toMatch(/^(Done|Accepted)/);
    this.keep(said);
  }
  readonly answer = (name: string, how: Act): Promise<void> =>
    this.act(name, { ...how, send: 'Send answer' });

  private keep(text: string): void {
    const line = text.replace(/\s+/g, ' ').trim();
    if (!this.shown.includes(line)) this.shown.push(line);
  }
}

const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
/** Without what differs from run to run. */
const plain = (text: string) =>
  text
    .replace(/Test[0-9a-f]{8}/g, 'Example')
    .replace(/\S+@example\.test/g, 'operator@example.test')
    .replace(/(test-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…')
    .replace(/\b(1Z)?case_\w+/g, '$1…')
    .replace(new RegExp(`\\b(?:${months}) \\d+, \\d{4}(?:, \\d+:\\d+\\s[AP]M)?`, 'g'), '…')
    .replace(/\b\d{4}-\d{2}-\d{2}\b/g, '…');

/** Writes evidence/results/desk.md. */
export async function writeJobs(jobs: readonly Job[]): Promise<void> {
  const file = fileURLToPath(new URL('../../evidence/results/desk.md', import.meta.url));
  const entries = jobs.map(
    ({ job, clicks, shown, books }) =>
      `- **${job}**, ${clicks} clicks.\n  ${plain(shown.join(' · '))}\n  Books: ${plain(books)}.`,
  );
  const text = `# Jobs at the desk

\`npm run evidence -- desk\` writes this page. An operator who is no superadmin does each job in a browser, and finds everything by
the words of the page. Then the books of the simulated services are read. Searching, choosing from a list and confirming count as
clicks; typing does not. All people are invented.

${entries.join('\n')}

Not done at the desk: a dose change without a plan is the prescriber's, by \`PATCH /orchestrator/refill-schedules/:id\` (D145). A recovery
of all that failed in an outage is \`rx recover\` (D112); each single one is in the list. Inviting somebody is a superadmin's (D141).
`;
  const options = await resolveConfig(file);
  writeFileSync(file, await format(text, { ...options, parser: 'markdown' }));
}
