/** The body with the value at one of its leaves or branches replaced. */
export function mutated(body: object, pick: number, value: unknown): object {
  const places: [target: Record<string, unknown>, key: string][] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, child] of Object.entries(node)) {
      places.push([node as Record<string, unknown>, key]);
      visit(child);
    }
  };
  const copy = structuredClone(body);
  visit(copy);
  const [target, key] = places[pick % places.length]!;
  target[key] = value;
  return copy;
}
