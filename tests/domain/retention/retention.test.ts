import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { retentionRules, ruleNames, unsignedWebhookLimits } from '../../../domain/retention/ages.js';
import {
  erasedParts,
  erasureDetails,
  erasureStates,
  keptOutside,
  leftByAddress,
} from '../../../domain/retention/erasures.js';

const page = readFileSync('docs/retention.md', 'utf8').replaceAll(/\s+/g, ' ');

test('the page says of every kind of record how long it is kept, and of nothing else', () => {
  for (const name of ruleNames) {
    const { what, tables, days, then } = retentionRules[name];
    const named = tables.split(', ').map((table) => `\`${table}\``);
    expect(page).toContain(`| ${what} | ${named.join(', ')} | ${days} days, then ${then} |`);
  }
  expect(page.match(/ days, then /g)).toHaveLength(ruleNames.length);
});

test('the page says how much is kept of what nobody signed', () => {
  expect(unsignedWebhookLimits).toEqual({ bytes: 4096, perHour: 1000 });
  expect(page).toContain('4 KiB');
  expect(page).toContain('1,000 an hour');
});

test('the page names what is erased, and everyone who is not touched', () => {
  for (const part of Object.values(erasedParts)) expect(page).toContain(part);
  for (const party of keptOutside) expect([party, page.includes(party)]).toEqual([party, true]);
  for (const party of keptOutside) expect(erasureDetails('completed')).toContain(party);
});

test('an erasure says whether records stay that only an address links to the patient', () => {
  for (const state of erasureStates) {
    expect(erasureDetails(state)).not.toContain(leftByAddress);
    expect(erasureDetails(state, true)).toContain(leftByAddress);
  }
});
