import type { Command } from 'commander';
import { ask, type Entry, printList } from './lists.js';

/** `rx timeline`: the events of a task in all services (D111). */
export function addTimelineCommand(program: Command): void {
  program
    .command('timeline <taskId>')
    .description('list the events of a task by time; refill-<scheduleId> is a schedule')
    .option('--json', 'print JSON')
    .action((taskId: string, { json }: { json?: true }) => printTimeline(taskId, json));
}

export async function printTimeline(taskId: string, json?: true): Promise<void> {
  const path = `/orchestrator/timeline/${encodeURIComponent(taskId)}`;
  const { entries } = await ask<{ entries: Entry[] }>({ service: 'orchestrator', path });
  printList(entries, { At: 'at', Service: 'service', Kind: 'kind', What: 'text', State: 'state' }, json);
}
