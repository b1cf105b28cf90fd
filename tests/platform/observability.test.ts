import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { z } from 'zod';
import { rx } from '../../cli/program.js';
import * as workflows from '../../workflows/index.js';
import { dashboards, runbooks } from '../helpers/observability.js';

const rulesPath = 'observability/rules/scriptrail.yml';
const alerts = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            labels: z.object({ severity: z.enum(['page', 'ticket']) }),
            annotations: z.object({ summary: z.string(), runbook: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(readFileSync(rulesPath, 'utf8')))
  .groups.flatMap(({ rules }) => rules);

/** Where promtool is: `PROMTOOL_PATH`, or on the PATH. */
const promtool = process.env['PROMTOOL_PATH'] ?? onPath('promtool');
function onPath(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(':')
    .map((folder) => `${folder}/${name}`)
    .find((path) => existsSync(path));
}
if (promtool === undefined)
  process.stderr.write(
    'No promtool, so the alert rules are not run: install prometheus, or set PROMTOOL_PATH.\n',
  );

describe('the alerts', () => {
  (promtool === undefined ? test.skip : test)('are raised by what they are for, and by nothing else', () => {
    const answer = execFileSync(promtool ?? '', ['test', 'rules', rulesPath.replace(/yml$/, 'test.yml')]);
    expect(answer.toString()).toContain('SUCCESS');
  });

  test('are each raised once, and once not, in the tests of the rules', () => {
    const tests = readFileSync(rulesPath.replace(/yml$/, 'test.yml'), 'utf8');
    for (const { alert } of alerts) {
      expect([alert, tests.includes(`alertname: ${alert} }`)]).toEqual([alert, true]);
      expect([alert, tests.includes(`alertname: ${alert}\n        exp_alerts:\n          -`)]).toEqual([
        alert,
        true,
      ]);
    }
  });

  test('each have a runbook that speaks of them, and no runbook is without one', () => {
    const index = readFileSync('docs/runbooks/README.md', 'utf8');
    for (const { alert, annotations } of alerts) {
      expect([alert, existsSync(annotations.runbook)]).toEqual([alert, true]);
      const [title] = readFileSync(annotations.runbook, 'utf8').split('\n');
      expect([alert, title]).toEqual([alert, expect.stringContaining(`\`${alert}\``)]);
      expect([alert, index.includes(`\`${alert}\``)]).toEqual([alert, true]);
    }
    expect([...new Set(alerts.map(({ annotations }) => annotations.runbook))].sort()).toEqual(
      [...runbooks].sort(),
    );
  });
});

const activities = readdirSync('activities', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8'))
  .join('\n');

describe.each(runbooks)('%s', (path) => {
  const page = readFileSync(path, 'utf8');

  test('says what to ask, what to do, and when it is resolved', () => {
    for (const part of ['**Ask**', '**Do**', '**Resolved when**']) expect(page).toContain(part);
    expect(page).toMatch(/`(rx|temporal|node|npm|curl|kill) |\n {4}(rx|temporal|curl) /);
  });

  test('names commands of rx that there are, with their options', () => {
    for (const [, line = ''] of page.matchAll(/(?:`| {4})rx ([^`\n]+)/g)) {
      const { command, rest } = commandOf(line.split(' '));
      const known = command.options.flatMap(({ long }) => long ?? []);
      for (const option of rest.filter((word) => word.startsWith('--')))
        expect([line, known]).toEqual([line, expect.arrayContaining([option])]);
    }
  });

  test('names workflows and schedules that there are', () => {
    const named = [...page.matchAll(/WorkflowType = "(\w+)"/g)].map(([, name]) => name);
    expect(Object.keys(workflows)).toEqual(expect.arrayContaining(named));
    const ids = [...page.matchAll(/--schedule-id ([\w-]+)/g)].map(([, id]) => id);
    const starts =
      readFileSync('starts/orchestrator.ts', 'utf8') + readFileSync('starts/retention.ts', 'utf8');
    for (const id of ids) expect([id, starts.includes(`scheduleId: '${id}'`)]).toEqual([id, true]);
  });

  test('names activities that there are, and pauses one at a time, as the command line can', () => {
    for (const [, name = ''] of page.matchAll(/--activity-type (\w+)/g))
      expect([name, activities.includes(`async ${name}(`)]).toEqual([name, true]);
    expect(page).not.toMatch(/activity pause[^`\n]*--query/);
  });

  test('leads to pages that there are', () => {
    for (const [, target = ''] of page.matchAll(/\]\(([^)#]+)[^)]*\)/g))
      expect([target, existsSync(`docs/runbooks/${target}`)]).toEqual([target, true]);
  });
});

/** The command that words begin with. @throws when there is none */
function commandOf(words: readonly string[]): { command: Command; rest: readonly string[] } {
  let command: Command = rx;
  let rest = words;
  for (;;) {
    const next = command.commands.find((one) => one.name() === rest[0]);
    if (!next) break;
    command = next;
    rest = rest.slice(1);
  }
  if (command === rx) throw new Error(`rx has no command ${words[0]}`);
  return { command, rest };
}

describe('what runs beside it', () => {
  const compose = z
    .object({
      services: z.record(
        z.string(),
        z.object({
          image: z.string(),
          volumes: z.array(z.string()).default([]),
          ports: z.array(z.string()),
          mem_limit: z.string(),
        }),
      ),
      volumes: z.record(z.string(), z.null()),
    })
    .parse(parse(readFileSync('observability/docker-compose.yml', 'utf8')));

  test('is pinned to versions, on loopback, and mounts what there is', () => {
    for (const { image, ports, volumes } of Object.values(compose.services)) {
      expect(image).toMatch(/:v?\d+\.\d+\.\d+$/);
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        expect([source, source in compose.volumes || existsSync(source)]).toEqual([source, true]);
      }
    }
  });

  test('has four dashboards, each with panels that ask one source', () => {
    const panel = z.object({
      title: z.string().min(1),
      datasource: z.object({ uid: z.literal('prometheus') }),
      targets: z.array(z.object({ expr: z.string().min(1) })).min(1),
    });
    const dashboard = z.object({ uid: z.string(), title: z.string(), panels: z.array(panel).min(5) });
    const titles = dashboards.map((path) => dashboard.parse(JSON.parse(readFileSync(path, 'utf8'))).title);
    expect(new Set(titles).size).toBe(4);
  });
});
