import { parseArgs } from 'node:util';
import { jest } from '../dev/jest.js';
import { type Figure, report } from './bench/report.js';

/** `npm run evidence -- <name> [options]`: runs a long proof and writes evidence/results. `--help` lists the names. */
interface Evidence {
  does: string;
  takes: string;
  run: (name: string) => Promise<unknown>;
}

/** Runs a measurement and writes its section of results/benches.md. The process exits with 1 if a count misses its goal. */
const bench = (open: () => Promise<(n?: number) => Promise<Figure[]>>) => async (name: string) => {
  const { values } = parseArgs({ options: { n: { type: 'string' } } });
  const n = values.n === undefined ? undefined : Number(values.n);
  if (n !== undefined && !(n > 0)) throw new Error('--n takes a number above 0');
  const measure = await open();
  report(name, await measure(n));
  process.exit(0);
};

/** Runs tests; other arguments go to Jest. */
const tests =
  (projects: string, file: string, env: Record<string, string> = {}) =>
  async () => {
    const args = [
      '--selectProjects',
      ...projects.split(' '),
      '--testPathPatterns',
      file,
      ...process.argv.slice(2),
    ];
    process.exit(await jest(args, env));
  };

const all: Record<string, Evidence> = {
  approve: {
    does: 'measures an approval beside plain Temporal, DBOS and plain code: time, throughput, CPU; --n <rounds>',
    takes: '5 min',
    run: bench(async () => (await import('./bench/approve.js')).approve),
  },
  memory: {
    does: 'measures the memory of the product over many approvals; --n <approvals>',
    takes: '25 min',
    run: bench(async () => (await import('./bench/memory.js')).memory),
  },
  close: {
    does: 'closes a month of 30,000 orders, and matches the statement of it; --n <orders>',
    takes: '5 min',
    run: bench(async () => (await import('./bench/close.js')).close),
  },
  rehearse: {
    does: 'rehearses 5,000 histories of a namespace on two builds, beside its live workers; --n <histories>',
    takes: '20 min',
    run: bench(async () => (await import('./bench/rehearse.js')).rehearse),
  },
  refills: {
    does: 'checks 20,000 open plans and runs 2,000 due refills, each beside approvals',
    takes: '10 min',
    run: bench(async () => (await import('./bench/refills.js')).refills),
  },
  start: {
    does: 'measures how long a start takes until every service is ready',
    takes: '1 min',
    run: bench(async () => (await import('./bench/start.js')).start),
  },
  kills: {
    does: 'measures how soon APIs answer and workers poll again after SIGKILL',
    takes: '2 min',
    run: bench(async () => (await import('./bench/kills.js')).afterKills),
  },
  cluster: {
    does: 'kills each of two Temporal servers over Postgres under approvals; <approvals> <plugin>; builds Temporal with Go, once',
    takes: '20 min',
    run: () => import('./bench/cluster/main.js'),
  },
  growth: {
    does: 'checks every query plan beside a million rows in each growing table (GROWTH_ROWS)',
    takes: '55 min',
    run: tests('evidence', 'evidence/growth'),
  },
  'growth-cost': {
    does: 'measures an approval beside a million rows in each growing table; --n <rows>',
    takes: '20 min',
    run: bench(async () => (await import('./bench/growth-cost.js')).growth),
  },
  faults: {
    does: 'kills processes and loses answers at random, then compares the books; --short, --long, --seed <n>, --resume',
    takes: '40 min, --short 1 min, --long 3 h',
    run: () => import('./campaign/main.js'),
  },
  'at-length': {
    does: 'repeats tests in full numbers, such as 1,000 plans and 20 kills in each gap of a create',
    takes: '20 min',
    run: tests(
      'faults long-parts',
      'faults/connections|long/(plan-years|plan-kills|patient-create|recovery|approval-kills|client-events)',
      {
        AT_LENGTH: 'yes',
      },
    ),
  },
  'kill-matrix': {
    does: 'kills each process at each moment of each step of an approval',
    takes: '5 min',
    run: tests('evidence', 'evidence/kill-matrix', { WRITE_KILL_MATRIX: 'yes' }),
  },
  'stuck-runs': {
    does: 'lists runs that a pharmacy outage holds up for five minutes, until it ends',
    takes: '10 min',
    run: tests('evidence', 'evidence/stuck-runs'),
  },
  deploys: {
    does: 'deploys a release with another step while 200 approvals are in flight; <approvals>',
    takes: '10 min',
    run: () => import('./deploys/main.js'),
  },
  'production-page': {
    does: 'follows docs/production.md block by block; needs Linux, root, Go, openssl and psql',
    takes: '30 min',
    run: tests('evidence', 'evidence/production-page'),
  },
  fuzz: {
    does: 'runs schemathesis on the OpenAPI pages; <service> …; needs Python 3 and a system that npm start runs',
    takes: '20 min',
    run: () => import('./fuzz/main.js'),
  },
  desk: {
    does: 'does every job of a coordinator at the desk, and writes clicks, words and books',
    takes: '2 min',
    run: tests('browser', 'tests/browser/jobs', { WRITE_DESK_JOBS: 'yes' }),
  },
  'desk-session': {
    does: 'works 40 minutes at the desk, with a pause of 12, and takes pictures',
    takes: '45 min',
    run: tests('browser', 'tests/browser/session', { REAL_SESSION: 'yes' }),
  },
  'role-matrix': {
    does: 'calls every route as every kind of admin, and writes the answers',
    takes: '2 min',
    run: tests('parts', 'tests/api/role-matrix', { WRITE_ROLE_MATRIX: 'yes' }),
  },
};

// Each program reads its own arguments from the usual place.
const [name = '--help'] = process.argv.splice(2, 1);
const evidence = Object.hasOwn(all, name) ? all[name] : undefined;
if (evidence) await evidence.run(name);
else {
  console.log('npm run evidence -- <name> [options]\n');
  for (const [name, { does, takes }] of Object.entries(all))
    console.log(`  ${name.padEnd(16)} ${does} (${takes})`);
  process.exitCode = name === '--help' ? 0 : 2;
}
