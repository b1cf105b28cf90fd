import Table from 'cli-table3';
import { type DevJson, devJsonPath } from '../dev-json.js';

const noRules = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' };

/** Prints the addresses of a system and the next commands to try. */
export function announcement(dev: DevJson, stateDir: string): string {
  const table = new Table({
    head: ['what', 'address', 'documentation'],
    style: { head: [], border: [] },
    chars: noRules,
  });
  for (const [name, url] of Object.entries(dev.services))
    table.push([name, url, name === 'codec' ? '' : `${url}/docs`]);
  table.push(['sandbox', dev.sandbox, `${dev.sandbox}/`], ['Temporal', dev.temporal.address, '']);
  table.push(['Temporal Web UI', dev.temporal.ui, '']);
  table.push(['health', `${dev.health.api}/ready`, ''], ['metrics', `${dev.health.api}/metrics`, '']);
  return [
    table.toString(),
    '',
    'What to try next:',
    '  npm run rx -- demo       five approvals, step by step, each checked with everyone concerned',
    '  npm run rx -- approve    approve one prescription for a seeded patient',
    `  ${dev.temporal.ui}    every run, step by step`,
    `  ${dev.sandbox}    what the pharmacies, the EMR, Stripe and the mailbox saw`,
    `Keys and addresses: ${devJsonPath(stateDir)}; logs beside it in logs/; Ctrl-C stops everything.`,
    '',
  ].join('\n');
}
