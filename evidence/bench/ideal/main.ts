import { services } from './services.js';
import { setting } from './settings.js';
import { type Request, stepsOf } from './steps.js';
import { connect } from './tables.js';
import { dbos, plain, temporal } from './ways.js';

/**
 * The comparison implementation of an approve in its own process. It shares only signatures and encryption with the
 * product. Its three services are handlers of this process.
 */
const ways = { temporal, dbos, plain };

const sql = connect(setting('IDEAL_DATABASE_URL'));
const app = services(sql);
let url = '';
// Routes must exist before the server listens, and its address is known only afterwards.
const way = { approve: (_request: Request): Promise<object> => Promise.reject(new Error('not ready')) };
app.post<{ Body: Request }>('/approve', ({ body }) => way.approve(body));
url = await app.listen({ host: '127.0.0.1', port: 0 });
const { approve, stop } = await ways[setting('IDEAL_WAY') as keyof typeof ways](stepsOf(sql, url));
way.approve = approve;
process.send?.({ url });

process.once('disconnect', () => {
  void stop()
    .then(() => Promise.all([app.close(), sql.end()]))
    .finally(() => process.exit(0));
});
