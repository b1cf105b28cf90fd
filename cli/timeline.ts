import type { Command } from 'commander';
import { ask, printList } from './lists.js';

interface Entry {
  at: string;
  service: string;
  kind: string;
  text: string;
  state: string | null;
  link: string | null;
}

/** `rx timeline`: what happened to a task, by time, as all services tell of it (D111). */
export function addTimelineCommand(program: Command): void {
  program
    .command('timeline <taskId>')
    .description('show what happened to a task, by time; refill-<scheduleId> is a schedule')
    .option('--json', 'print JSON')
    .action((taskId: string, { json }: { json?: true }) => printTimeline(taskId, json));
}

export async function printTimeline(taskId: string, json?: true): Promise<void> {
  const path = `/orchestrator/timeline/${encodeURIComponent(taskId)}`;
  const { entries } = await ask<{ entries: Entry[] }>({ service: 'orchestrator', method: 'GET', path });
  printList(
    entries,
    {
      At: ({ at }) => at,
      Service: ({ service }) => service,
      Kind: ({ kind }) => kind,
      What: ({ text }) => text,
      State: ({ state }) => state ?? '',
    },
    json,
  );
}
