// The pages that people read: README.md and everything in docs/, with what is in them.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** The paths of README.md and all pages of docs/, relative to the root of the tree. */
export function pagePaths() {
  const docs = readdirSync(join(root, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  return ['README.md', ...docs.sort()];
}

export function linesOf(path) {
  return readFileSync(join(root, path), 'utf8').split('\n');
}

/** The lines of a page that are prose: outside fences and indented blocks, without inline code. */
function proseOf(path) {
  let fenced = false;
  return linesOf(path).map((line) => {
    if (/^\s*```/.test(line)) {
      fenced = !fenced;
      return '';
    }
    return fenced || /^ {4}/.test(line) ? '' : line;
  });
}

/** The #anchors of a page, as GitHub makes them from its headings. */
export function anchorsOf(path) {
  const seen = new Map();
  return new Set(
    proseOf(path)
      .filter((line) => /^#{1,6} /.test(line))
      .map((line) => {
        const text = line.replace(/^#+ /, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
        const anchor = text.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '').replaceAll(' ', '-');
        const times = seen.get(anchor) ?? 0;
        seen.set(anchor, times + 1);
        return times ? `${anchor}-${times}` : anchor;
      }),
  );
}

/** The relative links of a page: line (from 1), link as written, file relative to the root, anchor or ''. */
export function linksOf(path) {
  return proseOf(path).flatMap((line, index) =>
    [...line.replace(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
      .map((link) => {
        const [file, anchor = ''] = link.split('#');
        const target = file ? relative(root, resolve(root, dirname(path), file)) : path;
        return { line: index + 1, link, target, anchor };
      }),
  );
}
