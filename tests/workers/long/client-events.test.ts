import { afterAll, beforeAll, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { atLength } from '../../helpers/at-length.js';
import { shared } from '../../helpers/client.js';
import { followLateCommits } from '../late-commits.js';

const dev = shared();
let sql: Sql;
beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 30 })));
afterAll(() => sql.end());

const each = atLength(100, 400);

test(`${50 * each} events of 50 tasks that commit late: no gap and no inversion by cursor`, () =>
  followLateCommits(sql, each));
