import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenApiDocument, operationsIn } from '../../api/openapi/document.js';

/** Where each test file that shares a system notes what it was answered, in its last run. */
const answersFolder = 'node_modules/.cache/scriptrail/answers';
export const notesOf = (testFile: string, folder = answersFolder): string =>
  join(folder, `${testFile.replaceAll('/', '.')}.txt`);

/** Answers that only tests with a system of their own provoke. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'tests/faults/long/organization.test.ts': ['post /v1/organizations: 502 emr_unavailable'],
  'tests/faults/long/patient-emr.test.ts': ['post /v1/patients: 502 emr_unavailable'],
  'tests/faults/long/clock.test.ts': ['put /orchestrator/clock: 200'],
};

/** They keep nothing in a database, so that only a fault in their own code makes them answer so. */
const faultless = ['post /payment-intent', 'post /pay', 'post /pay/session'].map(
  (route) => `${route}: 500 internal`,
);

/**
 * What the pages document and no test has provoked, as `post /rx/prescriptions/submit: 409 conflict`. Undefined unless the
 * tests of a change or the long ones have run as a whole since then, and the others at some time.
 */
export async function unprovokedAnswers(
  since: number,
  { folder, rendered }: { folder?: string; rendered?: Readonly<Record<string, object>> } = {},
): Promise<string[] | undefined> {
  const files = testFiles().map((name) => {
    const notes = notesOf(name, folder);
    const ranAt = statSync(notes, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return { notes, ranAt, isLong: /\/(?:long|starts)\//.test(name) };
  });
  const isNew = (long: boolean) => files.every(({ ranAt, isLong }) => isLong !== long || ranAt >= since);
  if (files.some(({ ranAt }) => ranAt === 0) || !(isNew(true) || isNew(false))) return undefined;

  // Here, because the test files that import this module render no pages.
  const { openApiPages } = await import('../../dev/pages/pages.js');
  const pages = Object.values(rendered ?? (await openApiPages())) as OpenApiDocument[];
  const routes = pages.flatMap(operationsIn).map(({ method, path, operation }) => ({
    method,
    path,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    answers: Object.entries(operation.responses).flatMap(([status, { headers }]) => {
      const header = headers?.['Error-Code'] as { schema: { enum: string[] } } | undefined;
      return header ? header.schema.enum.map((code) => `${status} ${code}`) : [status];
    }),
  }));
  const provoked = new Set([...faultless, ...Object.entries(elsewhere).flatMap(expectedIn)]);
  const noted = files.flatMap(({ notes }) => readFileSync(notes, 'utf8').split('\n').filter(Boolean));
  for (const note of new Set(noted)) {
    const [method, path = '', ...answer] = note.split(' ');
    const fitting = routes.filter((route) => route.method === method && route.pattern.test(path));
    const placeholders = Math.min(...fitting.map((route) => route.path.split('{').length));
    for (const route of fitting)
      // `/physicians/me` is not `/physicians/{id}`.
      if (route.path.split('{').length === placeholders)
        provoked.add(`${method} ${route.path}: ${answer.join(' ')}`);
  }
  const documented = routes.flatMap(({ method, path, answers }) =>
    answers.map((answer) => `${method} ${path}: ${answer}`),
  );
  return [...new Set(documented)].filter((answer) => !provoked.has(answer));
}

/** Those of the answers whose status the test file has. */
const expectedIn = ([file, answers]: [string, readonly string[]]): string[] => {
  const text = readFileSync(file, 'utf8');
  return answers.filter((answer) => text.includes(/: (\d+)/.exec(answer)?.[1] ?? answer));
};

export const testFiles = (): string[] =>
  ['tests/api', 'tests/starts'].flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !name.includes('/contract.'))
      .map((name) => `${room}/${name}`),
  );
