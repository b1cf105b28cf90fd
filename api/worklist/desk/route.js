/**
 * The view of the right side: `{view, id, client}`, kept in the history of the browser. Its URL holds task ids and
 * months, and nothing else.
 */
let draw = () => undefined;

/** Two clients may have a task of one id each. */
export const keyOf = (where) => (where ? `${where.view}:${where.client ?? ''}:${where.id ?? ''}` : '');
export const isAt = (where) => keyOf(history.state) === keyOf(where);
const urlOf = ({ view, id, client }) => {
  if (view === 'order') return `/#order/${encodeURIComponent(id)}${client ? `?client=${client}` : ''}`;
  if (view === 'month') return `/#month/${id}`;
  return view === 'runs' ? '/#runs' : '/';
};

function placeInUrl() {
  const [, view, id, client] =
    /^#(order|month|runs)(?:\/([^?]+))?(?:\?client=([a-z0-9-]+))?$/.exec(location.hash) ?? [];
  if (!view || (view === 'order' && !id)) return null;
  try {
    return { view, ...(id && { id: decodeURIComponent(id) }), ...(client && { client }) };
  } catch {
    return null;
  }
}

/** Goes somewhere. The same place again is drawn again. */
export function go(where) {
  if (!isAt(where)) history.pushState(where, '', urlOf(where));
  draw(where);
}
/** The place to begin with: that of a reload or of a link, if there is one. */
export function here() {
  if (!history.state) {
    const where = placeInUrl();
    if (where) history.replaceState(where, '', urlOf(where));
  }
  return history.state;
}
export const leavePlace = () => history.replaceState(null, '', '/');
/** @param drawPlace draws a place that the user goes to, or back to */
export function onRoute(drawPlace) {
  draw = drawPlace;
  addEventListener('popstate', () => draw(here()));
}
