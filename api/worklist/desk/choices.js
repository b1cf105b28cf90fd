import { $, el, fill, isShown } from './page.js';
import { newAddress, words } from './words.js';

/** These are confirmed, because nobody can undo them (D144). */
const final = ['cancel', 'reroute', 'refund', 'charge_again', 'replace', 'stop', 'stop_refills'];
/** A wrong address loses a parcel, so these are confirmed where they name one. */
const sending = ['ship_to', 'change'];

/**
 * Asks before what cannot be undone, in a dialog that repeats the effect and what was chosen.
 * @returns whether the person confirms
 */
export function isSure({ name, title = words(name), effect, given = [] }) {
  const isFinal = final.includes(name);
  const asks =
    isFinal || (sending.includes(name) && given.some(([label, value]) => label === newAddress && value));
  if (!asks) return Promise.resolve(true);
  $('sure-title').textContent = `${title}?`;
  fill('sure-text', effect, isFinal && ' Nobody can undo this.');
  fill(
    'sure-given',
    ...given
      .filter(([, value]) => isShown(value))
      .map(([label, value]) => el('li', {}, `${label}: ${value}`)),
  );
  $('sure-yes').textContent = `Yes, ${title.replace(/^./, (first) => first.toLowerCase())}`;
  $('sure').returnValue = 'no';
  $('sure').showModal();
  return new Promise((resolve) =>
    $('sure').addEventListener('close', () => resolve($('sure').returnValue === 'yes'), { once: true }),
  );
}

/**
 * A row of buttons of which the chosen one opens its effect, its fields and the button that sends it.
 * @param options each with `name`, `title`, `build`, which makes what the panel shows, and `why` if it is not possible
 */
export function chooser(form, label, options) {
  const panel = el('div', { class: 'panel', hidden: true });
  const buttons = options.map(({ name, title = words(name), build, why }) => {
    const made = el(
      'button',
      {
        type: 'button',
        'data-answer': name,
        'aria-pressed': 'false',
        title: why ?? null,
        disabled: isShown(why),
        onclick: () => {
          const isOpen = made.getAttribute('aria-pressed') === 'true';
          for (const each of buttons) each.setAttribute('aria-pressed', String(each === made && !isOpen));
          panel.hidden = isOpen;
          if (isOpen) delete form.dataset.chosen;
          else form.dataset.chosen = name;
          panel.replaceChildren(...(isOpen ? [] : build().filter(isShown)));
          if (!isOpen) panel.querySelector('input, select, textarea, button')?.focus();
        },
      },
      title,
    );
    return made;
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  return [el('div', { class: 'filters', role: 'group', 'aria-label': label }, ...buttons), panel];
}
