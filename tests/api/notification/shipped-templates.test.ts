import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql, type Queryable, type Sql } from '../../../db/client.js';
import { findTemplate } from '../../../db/notification/templates.js';
import { dev } from './notification.js';

const migration = readFileSync(
  new URL('../../../db/migrations/notification/0081_intake_type_sentence.sql', import.meta.url),
  'utf8',
);

let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(() => sql.end());

/** Runs the migration where version 1 is in force, or an admin's version built on it, and undoes everything. */
async function migrated(changeByAdmin?: string) {
  const undo = new Error('undo');
  let template: Awaited<ReturnType<typeof findTemplate>>;
  await sql
    .begin(async (sql) => {
      await putInForce(sql, 1);
      await sql`delete from notification.template_version where type = 'magic_link' and version > 1`;
      if (changeByAdmin !== undefined) {
        await sql`
          insert into notification.template_version (type, version, email_text, created_by)
          values ('magic_link', 2, ${changeByAdmin}, 'an admin')
        `;
        await putInForce(sql, 2);
      }
      await sql.unsafe(migration);
      template = await findTemplate(sql, 'magic_link');
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return template;
}

const putInForce = (sql: Queryable, version: number) =>
  sql`update notification.template set version = ${version} where type = 'magic_link'`;

test('the template that came with the service gets a second version, with the sentence in both bodies', async () => {
  expect(await migrated()).toMatchObject({
    version: 2,
    createdBy: null,
    emailSubject: 'Your sign-in link',
    emailHtml: expect.stringContaining('do not forward it.{{intakeTypeSentence}}</p>'),
    emailText: expect.stringContaining(
      'do not forward it.{{intakeTypeSentence}}\n\nSign in: {{magicLinkUrl}}',
    ),
  });
});

test('a template that an admin has changed stays as it is', async () => {
  expect(await migrated('Come in: {{magicLinkUrl}}')).toMatchObject({
    version: 2,
    createdBy: 'an admin',
    emailText: 'Come in: {{magicLinkUrl}}',
  });
});
