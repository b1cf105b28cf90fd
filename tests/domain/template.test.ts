import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { oneLine, render } from '../../domain/template.js';

describe('rendering a template', () => {
  it('fills placeholders, with or without spaces inside the braces', () => {
    expect(render('Hello {{name}}, {{ name }}!', { name: 'Ada' }, 'raw')).toBe('Hello Ada, Ada!');
  });

  it('renders what is missing, undefined or null as nothing', () => {
    expect(render('[{{a}}{{b}}{{c}}]', { b: undefined, c: null }, 'html')).toBe('[]');
  });

  it('prints zero and false, and nothing for objects, lists and functions', () => {
    const variables = { zero: 0, no: false, object: {}, list: ['x'], fn: () => 'x' };
    expect(render('{{zero}} {{no}} [{{object}}{{list}}{{fn}}]', variables, 'raw')).toBe('0 false []');
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
