import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSql } from '../../db/client.js';
import { readDevJson } from '../dev-json.js';
import { projectRoot } from '../project-root.js';
import { renderGallery } from './render.js';

/** `npm run generate -- gallery`: writes docs/gallery.html from the database of the running system. */
const sql = createSql(readDevJson().databaseUrl, { applicationName: 'gallery', max: 1 });
try {
  const path = join(projectRoot, 'docs', 'gallery.html');
  writeFileSync(path, await renderGallery(sql));
  console.log(path);
} finally {
  await sql.end();
}
