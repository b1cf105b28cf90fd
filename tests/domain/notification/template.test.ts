import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { oneLine, render, variablesIn } from '../../../domain/notification/template.js';

describe('rendering a template', () => {
  it('fills placeholders, with or without spaces inside the braces', () => {
    expect(render('Hello {{name}}, {{ name }}!', { name: 'Ada' }, 'raw')).toBe('Hello Ada, Ada!');
  });

  it('renders what is missing, undefined or null as nothing', () => {
    expect(render('[{{a}}{{b}}{{c}}]', { b: undefined, c: null }, 'html')).toBe('[]');
  });

  it('prints zero and false, and nothing for objects and functions', () => {
    const variables = { zero: 0, no: false, object: { a: 'x' }, objects: [{ a: 'x' }], fn: () => 'x' };
    expect(render('{{zero}} {{no}} [{{object}}{{objects}}{{fn}}]', variables, 'raw')).toBe('0 false []');
  });

  it('prints the plain values of a list with commas between', () => {
    const variables = { fields: ['phone', '<address>', 7, false, null, {}, ['x']], none: [] };
    expect(render('{{fields}}[{{none}}]', variables, 'raw')).toBe('phone, <address>, 7, false[]');
    expect(render('{{fields}}', variables, 'html')).toBe('phone, &lt;address&gt;, 7, false');
  });

  it('looks at own fields only', () => {
    expect(render('[{{constructor}}{{constructor.name}}{{__proto__}}{{toString}}]', {}, 'raw')).toBe('[]');
  });

  it('follows a dotted path', () => {
    expect(render('{{order.number}}|{{order.missing.deeper}}', { order: { number: 7 } }, 'raw')).toBe('7|');
  });

  it('escapes values in HTML and leaves the template and raw texts alone', () => {
    const variables = { name: `<b>"O'Neil" & co</b>` };
    expect(render('<p>{{name}}</p>', variables, 'html')).toBe(
      '<p>&lt;b&gt;&quot;O&#39;Neil&quot; &amp; co&lt;/b&gt;</p>',
    );
    expect(render('{{name}}', variables, 'raw')).toBe(variables.name);
  });

  it('puts any text in as it is: never expanded again, never read as a replacement pattern', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('{{b}}', '$&', "$'", '$1', '{{a}}')), (text) => {
        expect(render('<{{a}}>', { a: text, b: 'expanded' }, 'raw')).toBe(`<${text}>`);
      }),
    );
  });

  it('leaves no character in HTML that could open a tag, an attribute or an entity', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const rendered = render('{{a}}', { a: text }, 'html');
        expect(rendered).not.toMatch(/[<>"']/);
        expect(rendered.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
      }),
    );
  });
});

describe('a template of any shape', () => {
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null));
  const literal = fc.string().filter((text) => !text.includes('{'));
  const name = fc.constantFrom('a', 'patientName', '_x1', 'constructor');
  const space = fc.constantFrom('', ' ', '  ', '\n');

  it('is its literal text with the values in between', () => {
    const segments = fc.array(fc.tuple(literal, space, name, space));
    const values = fc.dictionary(name, value, { noNullPrototype: true });
    fc.assert(
      fc.property(segments, values, (parts, variables) => {
        const template = parts
          .map(([text, before, key, after]) => `${text}{{${before}${key}${after}}}`)
          .join('');
        const expected = parts
          .map(([text, , key]) => text + (Object.hasOwn(variables, key) ? String(variables[key] ?? '') : ''))
          .join('');
        expect(render(template, variables, 'raw')).toBe(expected);
      }),
    );
  });

  it('stays as it is where it is no placeholder', () => {
    const piece = fc.oneof(fc.constantFrom('{{', '}}', '{', '}', 'a', '.', '#if', ' '), fc.string());
    const template = fc
      .array(piece, { maxLength: 8 })
      .map((pieces) => pieces.join(''))
      .filter((text) => variablesIn(text).length === 0);
    fc.assert(
      fc.property(template, (text) => {
        expect(render(text, { a: 'x' }, 'html')).toBe(text);
        expect(render(`${text}|{{a}}|${text}`, { a: 'x' }, 'raw')).toBe(`${text}|x|${text}`);
      }),
    );
  });

  it('is filled in only so far that it stays in memory', () => {
    const filled = render('{{a}}'.repeat(10_000), { a: 'x'.repeat(300_000) }, 'raw');
    expect(filled.length).toBeLessThan(2_000_000);
    expect(filled.length).toBeGreaterThan(1_000_000);
  });
});

describe('a template', () => {
  it.each([
    '{{',
    '{{a',
    '{{a}',
    '{{#if a}}',
    '{{/if}}',
    '{{}}',
    '{{a b}}',
    '{{a.}}',
    '{{1}}',
    '{{a-b}}',
    '@media x{.a{color:red}}',
    '} }} {a}',
  ])('may hold %j, which is no placeholder and stays', (text) => {
    expect(render(text, { a: 'x', if: 'x' }, 'html')).toBe(text);
  });

  it('may hold braces around a placeholder, which stay', () => {
    expect(render('{{{a}}} { "a": {{a}}}', { a: 'x' }, 'raw')).toBe('{x} { "a": x}');
  });

  it('names each of its variables once', () => {
    expect(variablesIn('{{a}} {{ b.c }} {{a}} {{b}} {{c')).toEqual(['a', 'b']);
  });
});

describe('a text for a header', () => {
  it('has no line breaks or control characters left', () => {
    expect(oneLine('Hello\r\nBcc: evil@example.test\u0000\u2028 you')).toBe(
      'Hello Bcc: evil@example.test  you',
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => expect(oneLine(text)).not.toMatch(/[\r\n\0]/)),
    );
  });
});
