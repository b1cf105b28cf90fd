import { readFileSync } from 'node:fs';

/** A block of docs/production.md to type. */
export interface Block {
  machine: string;
  user: string;
  script: string;
}

const section = /^## From nothing to an approval$([^]*?)^## /m;
const fence = /^```(\w*)\n([^]*?)^```$/gm;
const heading =
  /^# (?:with (the checkout)|on ([\d.]+), as (\w+)(?:; then on ([\d.]+(?: and [\d.]+)*)(.*))?)\n/;

/**
 * The steps "From nothing to an approval" in order, with each block once per machine that its first line names.
 * @throws Error for a block without a machine
 */
export function readPage(): Block[] {
  const [, steps = ''] = section.exec(readFileSync('docs/production.md', 'utf8')) ?? [];
  if (/^ {4}\S/m.test(steps.replaceAll(fence, '')))
    throw new Error('an indented block says neither where it is typed nor by whom');
  return [...steps.matchAll(fence)].flatMap(([, language, script = '']) => {
    const [line, checkout, first = '', user = 'root', others, more] = heading.exec(script) ?? [];
    if (language !== 'sh' || line === undefined)
      throw new Error(`a block does not say where it is typed:\n${script}`);
    if (checkout !== undefined) return [{ machine: checkout, user, script }];
    const further = others?.split(' and ') ?? [];
    const ownAddress = (machine: string) =>
      more?.includes('its own address') ? script.replaceAll(first, machine) : script;
    return [first, ...further].map((machine) => ({ machine, user, script: ownAddress(machine) }));
  });
}
