import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { versionAdvice } from '../../db/server-version.js';

test('a Postgres with known holes is named with the version that has none', () => {
  expect([180_004, 180_010, 150_018, 190_000].map(versionAdvice)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(versionAdvice(180_001)).toMatch(/^Postgres 18\.1 has known holes: .* at least 18\.4\.$/);
  expect(versionAdvice(150_017)).toContain('at least 15.18');
  expect(versionAdvice(140_023)).toContain('at least 15.18');
});

test('the compose file starts none of them', () => {
  const [, major, minor] = /postgres:(\d+)\.(\d+)/.exec(readFileSync('docker-compose.yml', 'utf8')) ?? [];
  expect(versionAdvice(Number(major) * 10_000 + Number(minor))).toBeUndefined();
});
