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
  /^# (?:with (the checkout|a release, in its folder)|on ([\d.]+), as (\w+)(?:, in the shell of step \d)?(?:; then on ([\d.]+(?: and [\d.]+)*)(.*))?)\n/;

export const checkout = 'the checkout';

/**
 * The steps "From nothing to an approval" in order, with each block once per machine that its first line names.
 * @param release whether the reader begins with a release, and not with a build
 * @throws Error for a block without a machine
 */
export function readPage(release: boolean): Block[] {
  const [, steps = ''] = section.exec(readFileSync('docs/production.md', 'utf8')) ?? [];
  if (/^ {4}\S/m.test(steps.replaceAll(fence, '')))
    throw new Error('an indented block says neither where it is typed nor by whom');
  const not = release ? /npm run build/ : /^# with a release/;
  const blocks = [...steps.matchAll(fence)].filter(([, , script = '']) => !not.test(script));
  return blocks.flatMap(([, language, script = '']) => {
    const [line, builder, first = '', user = 'root', others, more] = heading.exec(script) ?? [];
    if (language !== 'sh' || line === undefined)
      throw new Error(`a block does not say where it is typed:\n${script}`);
    if (builder !== undefined) return [{ machine: checkout, user, script }];
    const further = others?.split(' and ') ?? [];
    const ownAddress = (machine: string) =>
      more?.includes('its own address') ? script.replaceAll(first, machine) : script;
    return [first, ...further].map((machine) => ({ machine, user, script: ownAddress(machine) }));
  });
}
