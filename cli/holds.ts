import { type Command, InvalidArgumentError, Option } from 'commander';
import { pretty } from './call-service.js';
import { ask, printList } from './lists.js';

interface Hold {
  id: string;
  code: string;
  message: string | null;
  until: string | null;
  state: string;
  openedAt: string;
  answer: string | null;
}

const pathOf = (submissionId: string): string => `/rx/prescriptions/${encodeURIComponent(submissionId)}`;

/** `rx holds`: what a pharmacy asks of an order, and answering it (D100). A client's key sees its own only. */
export function addHoldsCommand(program: Command): void {
  const holds = program.command('holds').description('what the pharmacy asks of a submission');
  holds
    .command('list <submissionId>')
    .description('oldest first')
    .option('--key <name>', 'the API key of the system whose submission it is', 'orchestrator')
    .option('--json', 'print JSON')
    .action(async (submissionId: string, { key, json }: { key: string; json?: true }) => {
      const call = { service: 'router', key, method: 'GET', path: pathOf(submissionId) } as const;
      const record = await ask<{ holds: Hold[] }>(call);
      printList(
        record.holds,
        {
          Hold: ({ id }) => id,
          Code: ({ code }) => code,
          Message: ({ message }) => message ?? '-',
          Until: ({ until }) => until ?? '-',
          State: ({ state }) => state,
          Answer: ({ answer }) => answer ?? '-',
          Opened: ({ openedAt }) => openedAt,
        },
        json,
      );
    });
  holds
    .command('answer <submissionId> <holdId>')
    .description('tell the pharmacy how to go on')
    .addOption(
      new Option('--answer <word>', 'what it may do')
        .choices(['proceed', 'change', 'decline'])
        .makeOptionMandatory(),
    )
    .option('--text <text>', 'a word to the pharmacy')
    .option('--changes <json>', 'with change: {sig?, quantity?, daysSupply?, shipTo?}', readJson)
    .option('--key <name>', 'the API key of the system whose submission it is', 'orchestrator')
    .action(
      async (
        submissionId: string,
        holdId: string,
        { key, ...body }: { key: string; answer: string; text?: string; changes?: unknown },
      ) => {
        const path = `${pathOf(submissionId)}/holds/${encodeURIComponent(holdId)}/answer`;
        const call = { service: 'router', key, method: 'POST', path, body: JSON.stringify(body) } as const;
        console.log(pretty(await ask(call)));
      },
    );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidArgumentError('JSON is needed.');
  }
}
