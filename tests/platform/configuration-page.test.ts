import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { portsFrom } from '../../dev/start/ports.js';
import { variableNames } from '../../platform/config.js';
import { readConfig } from '../../sandbox/config.js';

const page = readFileSync('docs/configuration.md', 'utf8');
/** The variables in code type in the page, each by itself. */
const named = new Set([...page.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name));

test('the configuration page names every variable of the product', () => {
  expect(variableNames.filter((name) => !named.has(name))).toEqual([]);
});

test('the configuration page names every variable of the sandbox', () => {
  expect(Object.keys(readConfig({})).filter((name) => !named.has(name))).toEqual([]);
});

test('the configuration page has the ports that a start takes', () => {
  const { base, ...ports } = portsFrom({});
  expect(page).toContain(`\`${base}\``);
  for (const port of Object.values(ports)) expect(page).toContain(String(port));
});
