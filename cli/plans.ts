import { type Command, Option } from 'commander';
import { planStates } from '../domain/orchestrator/plans.js';
import { pretty } from './call-service.js';
import { ask, askForAll, type Entry, filtered, printList } from './lists.js';
import { readInteger, readJson } from './values.js';

const path = '/orchestrator/plans';
const service = 'orchestrator';

interface Waiting {
  what: string;
  because: string;
  since: string;
  dueAt: string;
}
interface Plan {
  id: string;
  state: string;
  phase: number;
  fill: number | null;
  nextFillDate: string;
  waitingFor: Waiting[];
}

/** `rx plans`: courses of treatment, and what they wait for (D128). */
export function addPlansCommand(program: Command): void {
  const plans = program.command('plans').description('courses of treatment');
  plans
    .command('list')
    .description('list plans, newest first')
    .addOption(new Option('--state <state>').choices(planStates))
    .option('--emr-patient-id <id>', 'of one patient')
    .option('--treatment <treatment>', 'of one treatment')
    .option('--json', 'print JSON')
    .action(async ({ json, ...filters }: { json?: true }) =>
      printList(
        await askForAll({ service, path: filtered(path, filters) }, 'plans'),
        {
          Plan: 'id',
          Treatment: 'treatment',
          State: 'state',
          Phase: ({ phase, phases }) => `${String(phase)} of ${String((phases as Entry[]).length)}`,
          Sent: 'fillsSent',
          'Next fill': ({ fill, nextFillDate }) => (fill === null ? '' : String(nextFillDate)),
          'Waiting for': ({ waitingFor }) => (waitingFor as Waiting[]).map(waitingText).join('\n'),
        },
        json,
      ),
    );
  plans
    .command('show <id>')
    .description('a plan with its check-ins and decisions, as JSON')
    .action(async (id: string) => console.log(pretty(await ask({ service, path: pathOf(id) }))));
  plans
    .command('check-in <id> [answers]')
    .description("a patient's report before the next fill; answers are a JSON object ({})")
    .option('--flagged', 'the fill then waits for a decision')
    .option('--days-on-hand <days>', 'how long what is left lasts', readInteger)
    .option('--fill <number>', 'must be the fill that is asked for', readInteger)
    .action((id: string, answers: string | undefined, options: object) =>
      change(id, 'check-ins', { answers: answers === undefined ? {} : readJson(answers), ...options }),
    );
  plans
    .command('decide <id>')
    .description('decide which phase the next fill is of')
    .addOption(new Option('--phase <number>').argParser(readInteger).makeOptionMandatory())
    .requiredOption('--by <name>', 'who decided')
    .option('--reason <text>', 'kept with the decision')
    .option('--fill <number>', 'must be the fill that is asked for', readInteger)
    .action((id: string, options: object) => change(id, 'decisions', options));
  plans
    .command('renew <id>')
    .description('prescribe a plan for longer')
    .requiredOption('--until <day>', 'YYYY-MM-DD')
    .requiredOption('--by <name>', 'who prescribed')
    .action((id: string, { until: prescribedUntil, by }: { until: string; by: string }) =>
      change(id, 'renew', { prescribedUntil, by }),
    );
  for (const operation of ['pause', 'resume'])
    plans
      .command(`${operation} <id>`)
      .description(`${operation} a plan`)
      .action((id: string) => change(id, operation));
  plans
    .command('stop <id>')
    .description('end a plan')
    .requiredOption('--reason <text>', 'kept with the plan')
    .action((id: string, options: object) => change(id, 'stop', options));
}

const pathOf = (id: string): string => `${path}/${encodeURIComponent(id)}`;
const waitingText = ({ what, because, dueAt }: Waiting): string => `${what} (${because}) for ${dueAt}`;

async function change(id: string, operation: string, body?: object): Promise<void> {
  const { plan } = await ask<{ plan: Plan }>({
    service,
    method: 'POST',
    path: `${pathOf(id)}/${operation}`,
    ...(body && { body: JSON.stringify(body) }),
  });
  const next =
    plan.fill === null ? '' : `; fill ${plan.fill}, of phase ${plan.phase}, on ${plan.nextFillDate}`;
  console.log(`${plan.id} is ${plan.state}${next}.`);
  for (const entry of plan.waitingFor) console.log(`It waits for: ${waitingText(entry)}.`);
}
