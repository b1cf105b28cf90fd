/** The parts of the page by id, and how elements are made and filled. */
export const $ = (id) => document.getElementById(id);

/** Says something in the line under the header, which screen readers read out. */
export function said(text, isBad = false) {
  $('said').textContent = text;
  $('said').className = isBad ? 'bad' : '';
}
export const failed = (error) => {
  if (error.name !== 'AbortError') said(error.message, true);
};

export const isShown = (child) => child !== null && child !== undefined && child !== false && child !== '';

/** Makes an element. Children and attributes that are null or false are left out. */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'onclick') made.addEventListener('click', value);
    else if (value !== false && value !== null) made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.filter(isShown));
  return made;
}
export const fill = (id, ...children) => $(id).replaceChildren(...children.filter(isShown));

export const button = (text, onclick, attributes = {}) =>
  el('button', { type: 'button', onclick, ...attributes }, text);

/** A list of names and values without those that are unknown. */
export const facts = (pairs) =>
  el(
    'dl',
    {},
    ...pairs
      .filter(([, value]) => isShown(value))
      .flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]),
  );

export const folded = (summary, ...children) => el('details', {}, el('summary', {}, summary), ...children);

/** Shows nothing on the right side until it is known. */
export const waitingFor = (text) => fill('item', el('p', { class: 'why' }, text));

/** @returns whether the right side still shows what it shows now; only then may what was read for it be drawn */
export function asShown() {
  const first = $('item').firstChild;
  return () => $('item').firstChild === first;
}

/** Shows the right side, at its beginning, with the focus on it. */
export function reveal() {
  document.body.classList.add('reading');
  scrollTo(0, 0);
  // A person who types in the search by now keeps the focus.
  if (document.activeElement !== $('find').elements.q) $('item').focus({ preventScroll: true });
}
/** Returns to the list, where the page shows one side only. */
export function back() {
  document.body.classList.remove('reading');
  ($('items').querySelector('[aria-current="true"]') ?? $('list')).focus();
}
export const backButton = () => button('Back to the list', back, { class: 'plain back' });
