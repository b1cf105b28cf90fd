import type { Command } from 'commander';
import { ask, type Entry, printList } from './lists.js';

const pathOf = (submissionId: string): string =>
  `/rx/prescriptions/${encodeURIComponent(submissionId)}/callbacks`;

export const submissionKey = [
  '--key <name>',
  'API key that made the submission; a key sees only its own',
  'orchestrator',
] as const;

/** `rx callbacks`: what we sent to the client of a submission (D26, D27). */
export function addCallbacksCommand(program: Command): void {
  const callbacks = program.command('callbacks').description("a submission's callbacks");
  callbacks
    .command('list <submissionId>')
    .description('list callbacks in the order of their delivery')
    .option(...submissionKey)
    .option('--json', 'print JSON')
    .action(async (submissionId: string, { key, json }: { key: string; json?: true }) => {
      const call = { service: 'router', key, path: pathOf(submissionId) } as const;
      const { callbacks: all } = await ask<{ callbacks: (Entry & { attempts: Entry[] })[] }>(call);
      printList(
        all,
        {
          Callback: 'id',
          Kind: 'kind',
          State: 'state',
          Attempts: ({ attempts }) => String(attempts.length),
          'Latest error': ({ attempts }) => (attempts.at(-1)?.['error'] as string | null | undefined) ?? '',
          'Next attempt': 'nextAttemptAt',
        },
        json,
      );
    });
  callbacks
    .command('redeliver <submissionId> <callbackId>')
    .description('send a callback now, even if it is dead or delivered')
    .option(...submissionKey)
    .action(async (submissionId: string, callbackId: string, { key }: { key: string }) => {
      const path = `${pathOf(submissionId)}/${encodeURIComponent(callbackId)}/redeliver`;
      await ask({ service: 'router', key, method: 'POST', path });
      console.log(`Sending callback ${callbackId}; rx callbacks list shows the result.`);
    });
}
