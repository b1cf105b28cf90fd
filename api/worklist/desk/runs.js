import { asShown, backButton, el, fill, reveal } from './page.js';
import { call } from './session.js';
import { runLink } from './story.js';
import { when, words } from './words.js';

/** Runs that keep failing, and what engineers look for in the Web UI. */
export async function showRuns() {
  const isStill = asShown();
  const { stuckRuns, total, lists } = await call('/v1/stuck-runs');
  if (!isStill()) return;
  fill(
    'item',
    backButton(),
    el('h2', {}, 'Runs'),
    el(
      'p',
      { class: 'about' },
      total === 0
        ? 'No step has been failing for more than five minutes.'
        : `Failing for more than five minutes: ${total}. They leave this list once they succeed.`,
    ),
    el(
      'ol',
      { class: 'entries' },
      ...stuckRuns.map(({ workflow, step, since, nextTryAt, taskId, runUrl }) =>
        el(
          'li',
          {},
          el('time', { datetime: since }, `Since ${when(since)}`),
          [words(workflow), words(step), taskId, nextTryAt && `next try ${when(nextTryAt)}`]
            .filter(Boolean)
            .join(' · '),
          ' ',
          runLink(runUrl, 'Open'),
        ),
      ),
    ),
    el('h3', {}, 'Lists in the Web UI'),
    el(
      'ul',
      { class: 'lists' },
      ...lists.map(({ title, query, url }) =>
        el('li', {}, runLink(url, title) ?? title, el('code', {}, query)),
      ),
    ),
  );
  reveal();
}
